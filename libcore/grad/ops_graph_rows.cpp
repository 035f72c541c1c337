// Ops between the rows of a graph and the graph as a whole, and the means of its pairs.
#include "libcore/grad/axes.hpp"
#include "libcore/grad/graph_kernels.hpp"
#include "libcore/grad/ops_graph.hpp"

#include <algorithm>
#include <memory>

namespace logpx {
namespace {

constexpr double variance_floor = 1e-5;

struct Modulate final : TypedOp<Modulate> {
  const char* name() const override { return "modulate"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape& x = in[0];
    const bool fits = x.rank() >= 2 && in[1] == Shape{x[0], 2 * x[x.rank() - 1]};
    expect_fit(fits, in, "expected [B,...,C] and [B,2C]");
    return x;
  }
  Keeps keeps() const override { return {.inputs = 0b11}; }
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = 3 * in[0][in[0].rank() - 1]};
  }

  template <typename T>
  static ModulateCall<T> call_of(const Frame<T>& f, std::int64_t b) {
    const Shape& x = f.output_shape;
    ModulateCall<T> call{};
    call.channels = x[x.rank() - 1];
    call.rows = f.out().size() / x[0] / call.channels;
    call.x = f.in(0).data + b * call.rows * call.channels;
    call.film = f.in(1).data + b * 2 * call.channels;
    return call;
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b) {
      ModulateCall<T> call = call_of(f, b);
      call.y = f.output + b * call.rows * call.channels;
      graph_kernels<T>().modulate(call);
    }
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (f.wants(1)) (void)f.begin_gradient(1);
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b) {
      ModulateCall<T> call = call_of(f, b);
      const std::int64_t c = call.channels, first = b * call.rows * c;
      call.upstream = f.output_gradient + first;
      call.dx =
          f.wants(0) ? SlopeRows<T>{f.gradient(0) + first, c} : SlopeRows<T>{f.workspace(), 0};
      call.adds_x = f.wants(0) && f.accumulates(0);
      call.dfilm = f.wants(1) ? f.gradient(1) + b * 2 * c : f.workspace() + c;
      graph_kernels<T>().modulate_slopes(call);
    }
  }
};

struct RowStatistics final : TypedOp<RowStatistics> {
  const char* name() const override { return "row_statistics"; }
  Shape infer(std::span<const Shape> in) const override {
    const bool fits = in[0].rank() == 3 && in[1] == Shape{in[0][0], in[0][1]};
    expect_fit(fits, in, "expected [B,n,C] and a mask [B,n]");
    return {in[0][0], 4 * in[0][2]};
  }
  Keeps keeps() const override { return {.inputs = 0b11, .output = true}; }
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = 4 * in[0][2]};
  }

  template <typename T>
  static RowStatisticsCall<T> call_of(const Frame<T>& f, std::int64_t b) {
    const Shape& x = f.inputs[0].shape;
    RowStatisticsCall<T> call{};
    call.rows = x[1];
    call.channels = x[2];
    call.x = f.in(0).data + b * x[1] * x[2];
    call.mask = f.in(1).data + b * x[1];
    call.floor = static_cast<T>(variance_floor);
    call.y = f.output + b * 4 * x[2];
    return call;
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b)
      graph_kernels<T>().row_statistics(call_of(f, b));
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    LOGPX_ASSERT(!f.wants(1));
    if (!f.wants(0)) return;
    T* const dx = f.begin_gradient(0);
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b) {
      RowStatisticsCall<T> call = call_of(f, b);
      call.upstream = f.output_gradient + b * 4 * call.channels;
      call.dx = dx + b * call.rows * call.channels;
      call.rows_of_four = f.workspace();
      graph_kernels<T>().row_statistics_slopes(call);
    }
  }
};

struct PairMeans final : TypedOp<PairMeans> {
  const char* name() const override { return "pair_means"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape& x = in[0];
    expect_fit(x.rank() == 4 && x[1] == x[2], in, "expected [B,n,n,C]");
    return {x[0], x[1] * (x[1] - 1) / 2, x[3]};
  }

  // use(pair, ij, ji): where their channels begin.
  static void for_each_pair_of_rows(const Shape& x, auto use) {
    const std::int64_t n = x[1], c = x[3];
    std::int64_t pair = 0;
    for (std::int64_t b = 0; b < x[0]; ++b)
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = i + 1; j < n; ++j, pair += c)
          use(pair, ((b * n + i) * n + j) * c, ((b * n + j) * n + i) * c);
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    const Shape& x = f.inputs[0].shape;
    const T* const from = f.in(0).data;
    for_each_pair_of_rows(x, [&](std::int64_t pair, std::int64_t ij, std::int64_t ji) {
      for (std::int64_t c = 0; c < x[3]; ++c)
        f.output[pair + c] = (from[ij + c] + from[ji + c]) * T(0.5);
    });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    const Shape& x = f.inputs[0].shape;
    T* const dx = f.begin_gradient(0);
    for_each_pair_of_rows(x, [&](std::int64_t pair, std::int64_t ij, std::int64_t ji) {
      for (std::int64_t c = 0; c < x[3]; ++c) {
        const T half = f.output_gradient[pair + c] * T(0.5);
        dx[ij + c] += half;
        dx[ji + c] += half;
      }
    });
  }
};

}  // namespace

Var modulate(Var x, Var film) { return x.graph().apply(std::make_unique<Modulate>(), {x, film}); }

Var row_statistics(Var x, Var mask) {
  return x.graph().apply(std::make_unique<RowStatistics>(), {x, mask});
}

Var pair_means(Var square) { return square.graph().apply(std::make_unique<PairMeans>(), {square}); }

}  // namespace logpx
