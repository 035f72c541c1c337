// Products of two values: batched with transposes, one matrix per group, outer.
#include "libcore/base/error.hpp"
#include "libcore/grad/ops_matrix.hpp"

#include <memory>

namespace logpx {
namespace {

[[noreturn]] void misfit(const Shape& a, const Shape& b, const std::string& reason) {
  fail(ErrorKind::usage, "", a.text() + " x " + b.text() + ": " + reason);
}

// Sizes of the axes before the last `trailing` ones agree.
bool same_leading(const Shape& a, const Shape& b, int trailing) {
  if (a.rank() != b.rank() || a.rank() < trailing) return false;
  for (int axis = 0; axis < a.rank() - trailing; ++axis)
    if (a[axis] != b[axis]) return false;
  return true;
}

Trans flipped(Trans trans) { return trans == Trans::no ? Trans::yes : Trans::no; }

struct Matmul final : TypedOp<Matmul> {
  Transposes transposes;
  explicit Matmul(Transposes t) : transposes(t) {}
  const char* name() const override { return "matmul"; }

  struct Sizes {
    std::int64_t m, n, k, batches;
  };
  [[nodiscard]] Sizes sizes(const Shape& a, const Shape& b) const {
    const int r = a.rank();
    const bool ta = transposes.a == Trans::yes, tb = transposes.b == Trans::yes;
    Sizes s{ta ? a[r - 1] : a[r - 2], tb ? b[r - 2] : b[r - 1], ta ? a[r - 2] : a[r - 1], 1};
    for (int axis = 0; axis < r - 2; ++axis) s.batches *= a[axis];
    return s;
  }
  Shape infer(std::span<const Shape> in) const override {
    const Shape &a = in[0], &b = in[1];
    if (!same_leading(a, b, 2)) misfit(a, b, "leading axes differ");
    const Sizes s = sizes(a, b);
    const int r = a.rank();
    const std::int64_t other = transposes.b == Trans::yes ? b[r - 1] : b[r - 2];
    if (s.k != other) misfit(a, b, "inner " + std::to_string(s.k) + " vs " + std::to_string(other));
    Shape c = a;
    c[r - 2] = s.m;
    c[r - 1] = s.n;
    return c;
  }
  Keeps keeps() const override { return {.inputs = 3}; }
  double flops(std::span<const Shape> in, const Shape& out) const override {
    return 2.0 * static_cast<double>(out.elements()) * static_cast<double>(sizes(in[0], in[1]).k);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const View<const T> a = f.in(0), b = f.in(1);
    const auto [m, n, k, batches] = sizes(a.shape, b.shape);
    for (std::int64_t i = 0; i < batches; ++i)
      gemm<T>({.trans_a = transposes.a,
               .trans_b = transposes.b,
               .m = m,
               .n = n,
               .k = k,
               .a = a.data + i * m * k,
               .lda = a.shape.back(),
               .b = b.data + i * k * n,
               .ldb = b.shape.back(),
               .c = f.output + i * m * n,
               .ldc = n},
              f.numerics.product);
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const auto [m, n, k, batches] = sizes(f.in(0).shape, f.in(1).shape);
    for (std::int64_t i = 0; i < batches; ++i) {
      if (f.wants(0)) gemm(gradient_a(f, i, m * k), f.numerics.product);
      if (f.wants(1)) gemm(gradient_b(f, i, k * n), f.numerics.product);
    }
  }

  // dA = G op(B)^T; stored transposed: op(B) G^T.
  template <typename T>
  [[nodiscard]] Gemm<T> gradient_a(const Frame<T>& f, std::int64_t i, std::int64_t step) const {
    const auto [m, n, k, batches] = sizes(f.in(0).shape, f.in(1).shape);
    const T *g = f.output_gradient + i * m * n, *b = f.in(1).data + i * k * n;
    const std::int64_t ldb = f.in(1).shape.back();
    T* const c = f.gradient(0) + i * step;
    if (transposes.a == Trans::no)
      return {.trans_b = flipped(transposes.b),
              .m = m,
              .n = k,
              .k = n,
              .a = g,
              .lda = n,
              .b = b,
              .ldb = ldb,
              .c = c,
              .ldc = k,
              .beta = f.beta(0)};
    return {.trans_a = transposes.b,
            .trans_b = Trans::yes,
            .m = k,
            .n = m,
            .k = n,
            .a = b,
            .lda = ldb,
            .b = g,
            .ldb = n,
            .c = c,
            .ldc = m,
            .beta = f.beta(0)};
  }

  // dB = op(A)^T G; stored transposed: G^T op(A).
  template <typename T>
  [[nodiscard]] Gemm<T> gradient_b(const Frame<T>& f, std::int64_t i, std::int64_t step) const {
    const auto [m, n, k, batches] = sizes(f.in(0).shape, f.in(1).shape);
    const T *g = f.output_gradient + i * m * n, *a = f.in(0).data + i * m * k;
    const std::int64_t lda = f.in(0).shape.back();
    T* const c = f.gradient(1) + i * step;
    if (transposes.b == Trans::no)
      return {.trans_a = flipped(transposes.a),
              .m = k,
              .n = n,
              .k = m,
              .a = a,
              .lda = lda,
              .b = g,
              .ldb = n,
              .c = c,
              .ldc = n,
              .beta = f.beta(1)};
    return {.trans_a = Trans::yes,
            .trans_b = transposes.a,
            .m = n,
            .n = k,
            .k = m,
            .a = g,
            .lda = n,
            .b = a,
            .ldb = lda,
            .c = c,
            .ldc = k,
            .beta = f.beta(1)};
  }
};

// One product per group over rows that lie G I (G O) elements apart.
struct GroupedMatmul final : TypedOp<GroupedMatmul> {
  const char* name() const override { return "grouped_matmul"; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &x = in[0], &w = in[1];
    if (x.rank() < 2 || w.rank() != 3) misfit(x, w, "expected [...,G,I] and [G,I,O]");
    const std::int64_t groups = x[x.rank() - 2];
    if (groups != w[0]) misfit(x, w, std::to_string(groups) + " groups vs " + std::to_string(w[0]));
    if (x.back() != w[1])
      misfit(x, w, "inner " + std::to_string(x.back()) + " vs " + std::to_string(w[1]));
    Shape y = x;
    y[y.rank() - 1] = w[2];
    return y;
  }
  Keeps keeps() const override { return {.inputs = 3}; }
  double flops(std::span<const Shape> in, const Shape& out) const override {
    return 2.0 * static_cast<double>(out.elements()) * static_cast<double>(in[1][1]);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const View<const T> x = f.in(0), w = f.in(1);
    const std::int64_t groups = w.shape[0], inner = w.shape[1], columns = w.shape[2];
    const std::int64_t rows = x.size() / std::max<std::int64_t>(1, groups * inner);
    for (std::int64_t g = 0; g < groups; ++g)
      gemm<T>({.m = rows,
               .n = columns,
               .k = inner,
               .a = x.data + g * inner,
               .lda = groups * inner,
               .b = w.data + g * inner * columns,
               .ldb = columns,
               .c = f.output + g * columns,
               .ldc = groups * columns},
              f.numerics.product);
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const View<const T> x = f.in(0), w = f.in(1);
    const std::int64_t groups = w.shape[0], inner = w.shape[1], columns = w.shape[2];
    const std::int64_t rows = x.size() / std::max<std::int64_t>(1, groups * inner);
    for (std::int64_t g = 0; g < groups; ++g) {
      const T* const u = f.output_gradient + g * columns;
      if (f.wants(0))
        gemm<T>({.trans_b = Trans::yes,
                 .m = rows,
                 .n = inner,
                 .k = columns,
                 .a = u,
                 .lda = groups * columns,
                 .b = w.data + g * inner * columns,
                 .ldb = columns,
                 .c = f.gradient(0) + g * inner,
                 .ldc = groups * inner,
                 .beta = f.beta(0)},
                f.numerics.product);
      if (f.wants(1))
        gemm<T>({.trans_a = Trans::yes,
                 .m = inner,
                 .n = columns,
                 .k = rows,
                 .a = x.data + g * inner,
                 .lda = groups * inner,
                 .b = u,
                 .ldb = groups * columns,
                 .c = f.gradient(1) + g * inner * columns,
                 .ldc = columns,
                 .beta = f.beta(1)},
                f.numerics.product);
    }
  }
};

struct Outer final : TypedOp<Outer> {
  const char* name() const override { return "outer"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape &a = in[0], &b = in[1];
    if (!same_leading(a, b, 1)) misfit(a, b, "leading axes differ");
    if (a.rank() == Shape::max_rank) misfit(a, b, "at most 4 axes");
    std::array<std::int64_t, Shape::max_rank> sizes{};
    std::copy(a.sizes().begin(), a.sizes().end(), sizes.begin());
    sizes[static_cast<std::size_t>(a.rank())] = b.back();
    return Shape(
        std::span<const std::int64_t>(sizes).first(static_cast<std::size_t>(a.rank()) + 1));
  }
  Keeps keeps() const override { return {.inputs = 3}; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t m = f.in(0).shape.back(), n = f.in(1).shape.back();
    for (std::int64_t i = 0; i < f.in(0).size(); ++i) {
      const T a = f.in(0)[i];
      const T* const b = f.in(1).data + i / m * n;
      for (std::int64_t j = 0; j < n; ++j) f.output[i * n + j] = a * b[j];
    }
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const std::int64_t m = f.in(0).shape.back(), n = f.in(1).shape.back();
    T* const da = f.gradient(0);
    T* const db = f.wants(1) ? f.begin_gradient(1) : nullptr;
    for (std::int64_t i = 0; i < f.in(0).size(); ++i) {
      const T* const u = f.output_gradient + i * n;
      const T* const b = f.in(1).data + i / m * n;
      if (da != nullptr) {
        double sum = 0;
        for (std::int64_t j = 0; j < n; ++j) sum += u[j] * b[j];
        da[i] = static_cast<T>(sum) + (f.accumulates(0) ? da[i] : T(0));
      }
      if (db != nullptr)
        for (std::int64_t j = 0; j < n; ++j) db[i / m * n + j] += u[j] * f.in(0)[i];
    }
  }
};

}  // namespace

Var matmul(Var a, Var b, Transposes transposes) {
  return a.graph().apply(std::make_unique<Matmul>(transposes), {a, b});
}
Var grouped_matmul(Var x, Var w) {
  return x.graph().apply(std::make_unique<GroupedMatmul>(), {x, w});
}
Var outer(Var a, Var b) { return a.graph().apply(std::make_unique<Outer>(), {a, b}); }

}  // namespace logpx
