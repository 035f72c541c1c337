// Weighted sums of the functions of a layer of curves.
//
// A layer is one product of depth I (K+1), whose weights depend on coef, scale and base. They are
// folded into a matrix tile by tile, small enough for the second-level cache, where the product
// reads it and backward leaves the gradient: the whole matrix, as large as the parameters, is never
// written to memory.
#include "libcore/grad/ops_spline.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/curve_kernels.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <type_traits>

namespace logpx {
namespace {

constexpr std::int64_t tile_depth = 256, tile_outputs = 1024;

Shape ending_in(const Shape& shape, int dropped, std::int64_t last) {
  const auto first = shape.sizes().first(at(shape.rank() - dropped));
  std::vector<std::int64_t> sizes(first.begin(), first.end());
  sizes.push_back(last);
  return Shape(sizes);
}

constexpr int basis_input = 0, coef_input = 1, scale_input = 2, base_input = 3;

class SplineSum final : public TypedOp<SplineSum> {
 public:
  enum class Weights { coef, scaled, with_base };
  explicit SplineSum(Weights weights) : weights_(weights) {}

  const char* name() const override { return "spline_sum"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape &basis = in[basis_input], &coef = in[coef_input];
    const std::int64_t beside = has_base() ? 1 : 0;
    expect_fit(basis.rank() >= 2 && coef.rank() == 3 && coef[0] == basis[basis.rank() - 2] &&
                   coef[2] + beside == basis.back() && coef[0] > 0,
               in, has_base() ? "needs [...,I,K+1] and [I,O,K]" : "needs [...,I,K] and [I,O,K]");
    for (std::size_t k = scale_input; k < in.size(); ++k)
      expect_fit(in[k] == Shape{coef[0], coef[1]}, in, "scale and base must be [I,O]");
    return ending_in(basis, 2, coef[1]);
  }
  Keeps keeps() const override { return {.inputs = 0b1111}; }
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = Sizes(in).tile_elements()};
  }
  double flops(std::span<const Shape> in, const Shape&) const override {
    return 2 * static_cast<double>(in[0].elements()) * static_cast<double>(in[1][1]);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    for_each_tile(f, [&](const Sizes& s, const Tile& tile) {
      fold(f, s, tile);
      gemm(Gemm<T>{.trans_b = Trans::yes,
                   .m = s.rows,
                   .n = tile.outputs,
                   .k = tile.depth,
                   .a = f.in(basis_input).data + tile.feature * s.width,
                   .lda = s.row(),
                   .b = f.workspace(),
                   .ldb = tile.depth,
                   .c = f.output + tile.output,
                   .ldc = s.outputs,
                   .beta = tile.feature == 0 ? T(0) : T(1)},
           f.numerics.product);
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    for_each_tile(f, [&](const Sizes& s, const Tile& tile) {
      const T* const up = f.output_gradient + tile.output;
      if (f.wants(basis_input)) {
        fold(f, s, tile);
        gemm(Gemm<T>{.m = s.rows,
                     .n = tile.depth,
                     .k = tile.outputs,
                     .a = up,
                     .lda = s.outputs,
                     .b = f.workspace(),
                     .ldb = tile.depth,
                     .c = f.gradient(basis_input) + tile.feature * s.width,
                     .ldc = s.row(),
                     .beta = tile.output == 0 ? f.beta(basis_input) : T(1)},
             f.numerics.product);
      }
      if (!wants_weights(f)) return;
      gemm(Gemm<T>{.trans_a = Trans::yes,
                   .m = tile.outputs,
                   .n = tile.depth,
                   .k = s.rows,
                   .a = up,
                   .lda = s.outputs,
                   .b = f.in(basis_input).data + tile.feature * s.width,
                   .ldb = s.row(),
                   .c = f.workspace(),
                   .ldc = tile.depth},
           f.numerics.product);
      unfold(f, s, tile);
    });
  }

 private:
  struct Sizes {
    std::int64_t features, outputs, count, width, rows = 0;
    explicit Sizes(std::span<const Shape> in)
        : features(in[coef_input][0]),
          outputs(in[coef_input][1]),
          count(in[coef_input][2]),
          width(in[basis_input].back()) {}
    [[nodiscard]] std::int64_t row() const { return features * width; }
    [[nodiscard]] std::int64_t tile_features() const {
      return std::min(features,
                      std::max<std::int64_t>(1, tile_depth / std::max<std::int64_t>(1, width)));
    }
    [[nodiscard]] std::int64_t tile_elements() const {
      return std::min(outputs, tile_outputs) * tile_features() * width;
    }
  };
  // Some features and some outputs; its weights [outputs,depth] lie in the workspace.
  struct Tile {
    std::int64_t feature, features, output, outputs, depth;
  };
  template <typename T, typename Visit>
  static void for_each_tile(const Frame<T>& f, Visit visit) {
    const std::array<Shape, 2> shapes = {f.inputs[basis_input].shape, f.inputs[coef_input].shape};
    Sizes s(shapes);
    s.rows = s.outputs == 0 ? 0 : f.output_shape.elements() / s.outputs;
    const std::int64_t wide = s.tile_features();
    for (std::int64_t output = 0; output < s.outputs; output += tile_outputs)
      for (std::int64_t feature = 0; feature < s.features; feature += wide) {
        const std::int64_t features = std::min(wide, s.features - feature);
        visit(s, Tile{feature, features, output, std::min(tile_outputs, s.outputs - output),
                      features * s.width});
      }
  }
  // visit(run, its rows in the workspace, the number of its first curve): the curves of a feature,
  // which follow each other in memory.
  template <typename T, typename Visit>
  void for_each_run(const Frame<T>& f, const Sizes& s, const Tile& tile, Visit visit) const {
    const T *coef = f.in(coef_input).data, *scale = data(f, scale_input, has_scale()),
            *base = data(f, base_input, has_base());
    for (std::int64_t i = 0; i < tile.features; ++i) {
      const std::int64_t first = (tile.feature + i) * s.outputs + tile.output;
      visit(CurveRun<T>{.curves = tile.outputs,
                        .count = s.count,
                        .step = tile.depth,
                        .coef = coef + first * s.count,
                        .scale = beyond(scale, first),
                        .base = beyond(base, first)},
            f.workspace() + i * s.width, first);
    }
  }
  template <typename T>
  [[nodiscard]] static T* beyond(T* numbers, std::int64_t count) {
    return numbers == nullptr ? nullptr : numbers + count;
  }

  [[nodiscard]] bool has_scale() const { return weights_ != Weights::coef; }
  [[nodiscard]] bool has_base() const { return weights_ == Weights::with_base; }
  template <typename T>
  [[nodiscard]] bool wants_weights(const Frame<T>& f) const {
    return f.wants(coef_input) || (has_scale() && f.wants(scale_input)) ||
           (has_base() && f.wants(base_input));
  }
  template <typename T>
  [[nodiscard]] const T* data(const Frame<T>& f, int input, bool there) const {
    return there ? f.in(input).data : nullptr;
  }

  template <typename T>
  void fold(const Frame<T>& f, const Sizes& s, const Tile& tile) const {
    for_each_run(f, s, tile, [&](const CurveRun<T>& run, T* rows, std::int64_t) {
      kernels<T>().fold(run, rows);
    });
  }

  template <typename T>
  void unfold(const Frame<T>& f, const Sizes& s, const Tile& tile) const {
    const auto wanted = [&](int input, bool there) {
      return there && f.wants(input) ? f.gradient(input) : nullptr;
    };
    const auto adds = [&](int input, bool there) { return there && f.accumulates(input); };
    const CurveSlopes<T> all{wanted(coef_input, true),       wanted(scale_input, has_scale()),
                             wanted(base_input, has_base()), adds(coef_input, true),
                             adds(scale_input, has_scale()), adds(base_input, has_base())};
    for_each_run(f, s, tile, [&](const CurveRun<T>& run, T* rows, std::int64_t first) {
      CurveSlopes<T> slopes = all;
      slopes.coef = beyond(all.coef, first * s.count);
      slopes.scale = beyond(all.scale, first);
      slopes.base = beyond(all.base, first);
      kernels<T>().unfold(run, rows, slopes);
    });
  }

  template <typename T>
  [[nodiscard]] static const CurveKernels<T>& kernels() {
    if constexpr (std::is_same_v<T, float>) return active_curve_kernels().of_floats;
    else return active_curve_kernels().of_doubles;
  }

  Weights weights_;
};

struct SplineEach final : TypedOp<SplineEach> {
  const char* name() const override { return "spline_each"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape &basis = in[0], &w = in[1];
    expect_fit(basis.rank() >= 2 && w.rank() == 2 && w[0] == basis[basis.rank() - 2] &&
                   w[1] == basis.back(),
               in, "needs [...,I,K] and [I,K]");
    return Shape(basis.sizes().first(at(basis.rank() - 1)));
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

Var spline_sum(Var basis, const CurveWeights& weights) {
  LOGPX_ASSERT(weights.scale || !weights.base);
  std::vector<Var> inputs = {basis, weights.coef};
  if (weights.scale) inputs.push_back(*weights.scale);
  if (weights.base) inputs.push_back(*weights.base);
  using Weights = SplineSum::Weights;
  const Weights kind =
      weights.base ? Weights::with_base : (weights.scale ? Weights::scaled : Weights::coef);
  return basis.graph().apply(std::make_unique<SplineSum>(kind), inputs);
}

Var spline_sum(Var basis, Var w) { return spline_sum(basis, CurveWeights{.coef = w}); }

Var spline_each(Var basis, Var w) {
  return basis.graph().apply(std::make_unique<SplineEach>(), {basis, w});
}

}  // namespace logpx
