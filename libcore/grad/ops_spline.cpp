#include "libcore/grad/ops_spline.hpp"

#include "libcore/grad/shape_rule.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

Shape with_axis(const Shape& shape, std::int64_t size) {
  std::vector<std::int64_t> sizes(shape.sizes().begin(), shape.sizes().end());
  sizes.push_back(size);
  return Shape(sizes);
}

Shape without_last(const Shape& shape, int count) {
  return Shape(shape.sizes().first(static_cast<std::size_t>(shape.rank() - count)));
}

// Grids and knots: one row for all features, or one each.
void expect_rows(std::span<const Shape> in, const char* what) {
  const Shape &x = in[0], &rows = in[1];
  expect_fit(x.rank() >= 1 && x.rank() < Shape::max_rank, in, "needs [...,I] of at most 4 axes");
  expect_fit(rows.rank() == 1 || (rows.rank() == 2 && rows[0] == x.back()), in,
             std::string(what) + " must be one row, or one for each of " +
                 std::to_string(x.back()) + " features");
}

std::int64_t row_step(const Shape& rows) { return rows.rank() == 1 ? 0 : rows.back(); }

struct RbfBasis final : TypedOp<RbfBasis> {
  const char* name() const override { return "rbf_basis"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_rows(in, "the grid");
    expect_fit(in[2] == Shape{} || in[2] == Shape{in[0].back()}, in,
               "the width must be one number, or one for each feature");
    return with_axis(in[0], in[1].back());
  }
  Keeps keeps() const override { return {.inputs = 0b111, .output = true}; }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 20 * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    for_each_curve(f, [&](const Curve<T>& curve) {
      for (std::int64_t k = 0; k < curve.count; ++k) {
        const T u = (curve.x - curve.grid[k]) / curve.width;
        f.output[curve.first + k] = -u * u;
      }
    });
    vec::exp(std::span<const T>(f.out().span()), f.out().span());
  }

  // dB/dx = -2 B u / width and dB/dwidth = 2 B u^2 / width, u = (x - grid)/width.
  template <typename T>
  void backward(const Frame<T>& f) const {
    LOGPX_ASSERT(!f.wants(1));
    T* const dx = f.wants(0) ? f.begin_gradient(0) : nullptr;
    T* const dwidth = f.wants(2) ? f.begin_gradient(2) : nullptr;
    for_each_curve(f, [&](const Curve<T>& curve) {
      const T *basis = f.output + curve.first, *up = f.output_gradient + curve.first;
      T first = 0, second = 0;
      for (std::int64_t k = 0; k < curve.count; ++k) {
        const T u = (curve.x - curve.grid[k]) / curve.width, weight = up[k] * basis[k] * u;
        first += weight;
        second += weight * u;
      }
      if (dx != nullptr) dx[curve.number] -= 2 * first / curve.width;
      if (dwidth != nullptr) dwidth[curve.width_at] += 2 * second / curve.width;
    });
  }

 private:
  // One element of x and the functions it is put into.
  template <typename T>
  struct Curve {
    std::int64_t number, first, count, width_at;
    T x, width;
    const T* grid;
  };
  template <typename T, typename Visit>
  static void for_each_curve(const Frame<T>& f, Visit visit) {
    const View<const T> x = f.in(0);
    const Shape grid = f.inputs[1].shape;
    const std::int64_t features = x.shape.back(), count = grid.back(), step = row_step(grid);
    const auto* points = static_cast<const T*>(f.inputs[1].data);
    const auto* widths = static_cast<const T*>(f.inputs[2].data);
    const bool one_width = f.inputs[2].shape.rank() == 0;
    for (std::int64_t e = 0, n = x.size(); e < n; ++e) {
      const std::int64_t i = e % features, at = one_width ? 0 : i;
      visit(Curve<T>{e, e * count, count, at, x[e], widths[at], points + i * step});
    }
  }
};

class BsplineBasis final : public TypedOp<BsplineBasis> {
 public:
  explicit BsplineBasis(int degree) : degree_(degree) {}

  const char* name() const override { return "bspline_basis"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_rows(in, "the knots");
    expect_fit(degree_ >= 1 && degree_ <= 5, in, "the degree must be 1 to 5");
    const std::int64_t count = in[1].back() - degree_ - 1;
    expect_fit(count >= 1, in, "degree " + std::to_string(degree_) + " needs more knots");
    return with_axis(in[0], count);
  }
  Keeps keeps() const override { return {.inputs = 0b11}; }
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = in[1].back()};
  }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 6 * degree_ * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    for_each_curve(f, [&](std::int64_t e, T x, const T* knots, std::int64_t intervals) {
      raise(x, knots, intervals, degree_, f.workspace());
      const std::int64_t count = intervals - degree_;
      std::copy_n(f.workspace(), count, f.output + e * count);
    });
  }

  // B'_j,d = d (B_j,d-1 / (t_j+d - t_j) - B_j+1,d-1 / (t_j+d+1 - t_j+1))
  template <typename T>
  void backward(const Frame<T>& f) const {
    LOGPX_ASSERT(!f.wants(1));
    if (!f.wants(0)) return;
    T* const dx = f.begin_gradient(0);
    for_each_curve(f, [&](std::int64_t e, T x, const T* knots, std::int64_t intervals) {
      const T* const lower = f.workspace();
      raise(x, knots, intervals, degree_ - 1, f.workspace());
      const std::int64_t count = intervals - degree_;
      T sum = 0;
      for (std::int64_t j = 0; j < count; ++j) {
        const T slope = ratio(lower[j], knots[j + degree_] - knots[j]) -
                        ratio(lower[j + 1], knots[j + degree_ + 1] - knots[j + 1]);
        sum += f.output_gradient[e * count + j] * slope;
      }
      dx[e] += static_cast<T>(degree_) * sum;
    });
  }

 private:
  template <typename T>
  static T ratio(T above, T below) {
    return below == T(0) ? T(0) : above / below;
  }

  // All B_j,degree(x), in place: degree 0 first, then up.
  template <typename T>
  static void raise(T x, const T* knots, std::int64_t intervals, int degree, T* basis) {
    for (std::int64_t j = 0; j < intervals; ++j)
      basis[j] = knots[j] <= x && x < knots[j + 1] ? T(1) : T(0);
    for (int d = 1; d <= degree; ++d)
      for (std::int64_t j = 0; j < intervals - d; ++j)
        basis[j] = ratio((x - knots[j]) * basis[j], knots[j + d] - knots[j]) +
                   ratio((knots[j + d + 1] - x) * basis[j + 1], knots[j + d + 1] - knots[j + 1]);
  }

  template <typename T, typename Visit>
  static void for_each_curve(const Frame<T>& f, Visit visit) {
    const View<const T> x = f.in(0);
    const Shape rows = f.inputs[1].shape;
    const auto* knots = static_cast<const T*>(f.inputs[1].data);
    const std::int64_t features = x.shape.back();
    for (std::int64_t e = 0, n = x.size(); e < n; ++e)
      visit(e, x[e], knots + e % features * row_step(rows), rows.back() - 1);
  }

  int degree_;
};

// A product per feature, with the operands where they lie.
struct SplineSum final : TypedOp<SplineSum> {
  const char* name() const override { return "spline_sum"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape &basis = in[0], &w = in[1];
    expect_fit(basis.rank() >= 2 && w.rank() == 3 && w[0] == basis[basis.rank() - 2] &&
                   w[2] == basis.back() && w[0] > 0,
               in, "needs [...,I,K] and [I,O,K]");
    return with_axis(without_last(basis, 2), w[1]);
  }
  Keeps keeps() const override { return {.inputs = 0b11}; }
  double flops(std::span<const Shape> in, const Shape&) const override {
    return 2 * static_cast<double>(in[0].elements()) * static_cast<double>(in[1][1]);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const Sizes s = sizes(f);
    const T *basis = f.in(0).data, *w = f.in(1).data;
    for (std::int64_t i = 0; i < s.features; ++i)
      gemm(Gemm<T>{.trans_b = Trans::yes,
                   .m = s.rows,
                   .n = s.out,
                   .k = s.count,
                   .a = basis + i * s.count,
                   .lda = s.row(),
                   .b = w + i * s.out * s.count,
                   .ldb = s.count,
                   .c = f.output,
                   .ldc = s.out,
                   .beta = i == 0 ? T(0) : T(1)},
           f.numerics.product);
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const Sizes s = sizes(f);
    const T *basis = f.in(0).data, *w = f.in(1).data;
    for (std::int64_t i = 0; i < s.features; ++i) {
      if (f.wants(0))
        gemm(Gemm<T>{.m = s.rows,
                     .n = s.count,
                     .k = s.out,
                     .a = f.output_gradient,
                     .lda = s.out,
                     .b = w + i * s.out * s.count,
                     .ldb = s.count,
                     .c = f.gradient(0) + i * s.count,
                     .ldc = s.row(),
                     .beta = f.beta(0)},
             f.numerics.product);
      if (f.wants(1))
        gemm(Gemm<T>{.trans_a = Trans::yes,
                     .m = s.out,
                     .n = s.count,
                     .k = s.rows,
                     .a = f.output_gradient,
                     .lda = s.out,
                     .b = basis + i * s.count,
                     .ldb = s.row(),
                     .c = f.gradient(1) + i * s.out * s.count,
                     .ldc = s.count,
                     .beta = f.beta(1)},
             f.numerics.product);
    }
  }

 private:
  struct Sizes {
    std::int64_t rows, features, out, count;
    [[nodiscard]] std::int64_t row() const { return features * count; }
  };
  template <typename T>
  static Sizes sizes(const Frame<T>& f) {
    const Shape w = f.inputs[1].shape;
    return {f.output_shape.rows(), w[0], w[1], w[2]};
  }
};

struct SplineEach final : TypedOp<SplineEach> {
  const char* name() const override { return "spline_each"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape &basis = in[0], &w = in[1];
    expect_fit(basis.rank() >= 2 && w.rank() == 2 && w[0] == basis[basis.rank() - 2] &&
                   w[1] == basis.back(),
               in, "needs [...,I,K] and [I,K]");
    return without_last(basis, 1);
  }
  Keeps keeps() const override { return {.inputs = 0b11}; }
  double flops(std::span<const Shape> in, const Shape&) const override {
    return 2 * static_cast<double>(in[0].elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const Shape shape = f.inputs[1].shape;
    const T *basis = f.in(0).data, *w = f.in(1).data;
    for (std::int64_t e = 0; e < f.output_shape.elements(); ++e) {
      const T* const weights = w + e % shape[0] * shape[1];
      T sum = 0;
      for (std::int64_t k = 0; k < shape[1]; ++k) sum += basis[e * shape[1] + k] * weights[k];
      f.output[e] = sum;
    }
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const Shape shape = f.inputs[1].shape;
    const T *basis = f.in(0).data, *w = f.in(1).data, *up = f.output_gradient;
    const std::int64_t weights = shape.elements();
    f.add_gradient(0, [&](std::int64_t e) { return up[e / shape[1]] * w[e % weights]; });
    if (!f.wants(1)) return;
    T* const dw = f.begin_gradient(1);
    for (std::int64_t e = 0, n = f.inputs[0].shape.elements(); e < n; ++e)
      dw[e % weights] += up[e / shape[1]] * basis[e];
  }
};

}  // namespace

Var rbf_basis(Var x, Var grid, Var width) {
  return x.graph().apply(std::make_unique<RbfBasis>(), {x, grid, width});
}

Var bspline_basis(Var x, Var knots, int degree) {
  return x.graph().apply(std::make_unique<BsplineBasis>(degree), {x, knots});
}

Var spline_sum(Var basis, Var w) {
  return basis.graph().apply(std::make_unique<SplineSum>(), {basis, w});
}

Var spline_each(Var basis, Var w) {
  return basis.graph().apply(std::make_unique<SplineEach>(), {basis, w});
}

}  // namespace logpx
