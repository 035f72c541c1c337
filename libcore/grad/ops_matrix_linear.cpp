// linear and bias_add: what the layers of a network are made of.
#include "libcore/base/error.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/row_kernels.hpp"

#include <algorithm>
#include <memory>

namespace logpx {
namespace {

constexpr int x_input = 0, w_input = 1, b_input = 2;

void require_bias(const Shape& bias, std::int64_t columns, const Shape& against) {
  if (bias == Shape{columns}) return;
  fail(ErrorKind::usage, "",
       against.text() + " + " + bias.text() + ": " + std::to_string(columns) + " columns vs bias " +
           bias.text());
}

struct Linear final : TypedOp<Linear> {
  Activation activation;
  bool bias;
  Linear(Activation f, bool with_bias) : activation(f), bias(with_bias) {}
  const char* name() const override { return "linear"; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &x = in[x_input], &w = in[w_input];
    if (x.rank() < 1 || w.rank() != 2 || x.back() != w[0])
      fail(ErrorKind::usage, "",
           x.text() + " x " + w.text() +
               (w.rank() != 2
                    ? ": expected a weight of rank 2"
                    : ": inner " + std::to_string(x.back()) + " vs " + std::to_string(w[0])));
    Shape y = x;
    y[y.rank() - 1] = w[1];
    if (bias) require_bias(in[b_input], w[1], y);
    return y;
  }
  Keeps keeps() const override {
    const bool result = activation != Activation::none && derivative_from_result(activation);
    return {.inputs = 1u << x_input | 1u << w_input, .output = result};
  }
  // Saved: the activation's argument, when its slope needs that. Workspace: the gradient of it.
  Scratch scratch(std::span<const Shape>, const Shape& out, const Numerics&) const override {
    return {.saved = derivative_from_result(activation) ? 0 : out.elements(),
            .workspace = activation == Activation::none ? 0 : out.elements()};
  }
  double flops(std::span<const Shape> in, const Shape& out) const override {
    return 2.0 * static_cast<double>(out.elements()) * static_cast<double>(in[w_input][0]);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t inner = f.in(w_input).shape[0], columns = f.in(w_input).shape[1];
    const std::int64_t rows = columns == 0 ? 0 : f.out().size() / columns;
    T* const sum = f.saved() != nullptr ? f.saved() : f.output;
    if (bias)
      for (std::int64_t r = 0; r < rows; ++r)
        std::copy_n(f.in(b_input).data, columns, sum + r * columns);
    gemm<T>({.m = rows,
             .n = columns,
             .k = inner,
             .a = f.in(x_input).data,
             .lda = inner,
             .b = f.in(w_input).data,
             .ldb = columns,
             .c = sum,
             .ldc = columns,
             .beta = bias ? T(1) : T(0)},
            f.numerics.product);
    const auto n = static_cast<std::size_t>(f.out().size());
    activate(activation, std::span<const T>(sum, n), f.out().span());
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const std::int64_t inner = f.in(w_input).shape[0], columns = f.in(w_input).shape[1];
    const std::int64_t rows = columns == 0 ? 0 : f.upstream().size() / columns;
    const T* d = f.output_gradient;
    if (activation != Activation::none) {
      const auto n = static_cast<std::size_t>(f.upstream().size());
      const T* const kept = f.saved() != nullptr ? f.saved() : f.output;
      activation_backward(activation, std::span<const T>(kept, n), f.upstream().span(),
                          std::span<T>(f.workspace(), n));
      d = f.workspace();
    }
    if (f.wants(x_input))
      gemm<T>({.trans_b = Trans::yes,
               .m = rows,
               .n = f.read_of_row(x_input),
               .k = columns,
               .a = d,
               .lda = columns,
               .b = f.in(w_input).data,
               .ldb = columns,
               .c = f.gradient(x_input),
               .ldc = inner,
               .beta = f.beta(x_input)},
              f.numerics.product);
    if (f.wants(w_input))
      gemm<T>({.trans_a = Trans::yes,
               .m = inner,
               .n = columns,
               .k = rows,
               .a = f.in(x_input).data,
               .lda = inner,
               .b = d,
               .ldb = columns,
               .c = f.gradient(w_input),
               .ldc = columns,
               .beta = f.beta(w_input)},
              f.numerics.product);
    if (bias && f.wants(b_input))
      row_kernels<T>().add_column_sums({rows, columns, d, f.begin_gradient(b_input)});
  }
};

struct BiasAdd final : TypedOp<BiasAdd> {
  const char* name() const override { return "bias_add"; }
  Shape infer(std::span<const Shape> in) const override {
    require_bias(in[1], in[0].back(), in[0]);
    return in[0];
  }
  bool in_place() const override { return true; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const T *x = f.in(0).data, *b = f.in(1).data;
    const std::int64_t columns = f.in(1).size();
    for (std::int64_t first = 0; first < f.out().size(); first += columns)
      for (std::int64_t c = 0; c < columns; ++c) f.output[first + c] = x[first + c] + b[c];
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const T* const u = f.output_gradient;
    f.add_gradient(0, [=](std::int64_t i) { return u[i]; });
    const std::int64_t columns = f.inputs[1].shape[0];
    if (f.wants(1) && columns > 0)
      row_kernels<T>().add_column_sums(
          {f.upstream().size() / columns, columns, u, f.begin_gradient(1)});
  }
};

}  // namespace

Var linear(Var x, Var w, Var b, Activation activation) {
  return x.graph().apply(std::make_unique<Linear>(activation, true), {x, w, b});
}
Var linear(Var x, Var w, Activation activation) {
  return x.graph().apply(std::make_unique<Linear>(activation, false), {x, w});
}
Var bias_add(Var x, Var b) { return x.graph().apply(std::make_unique<BiasAdd>(), {x, b}); }

}  // namespace logpx
