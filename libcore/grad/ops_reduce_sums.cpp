// sum, mean, max, min, logsumexp, variance over a stretch of axes seen as [outer, n, inner].
#include "libcore/base/index.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/elementwise.hpp"
#include "libcore/grad/ops_reduce.hpp"

#include <limits>
#include <memory>

namespace logpx {
namespace {

constexpr std::int64_t columns_together = 256;  // columns of [n, inner] that are reduced together
using Sums = std::array<double, columns_together>;

struct Reduction {
  Over over;
  [[nodiscard]] AxisLoops loops(const Shape& in) const {
    return around_axes(in, over.first, over.last);
  }
  [[nodiscard]] Shape reduced(const Shape& in) const {
    return without_axes(in, over.first, over.last);
  }
};

// result(index) = store(sum over n of term(first + j * step)): rows when inner is 1, else columns
// in blocks, so that memory is always read in order.
template <typename Term, typename Store>
void sum_over(const AxisLoops& loops, Term term, Store store) {
  const auto [outer, n, inner] = loops;
  if (inner == 1) {
    for (std::int64_t o = 0; o < outer; ++o)
      store(o, row_sum(n, [&, row = o * n](std::int64_t j) { return term(row + j, o); }));
    return;
  }
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t first = 0; first < inner; first += columns_together) {
      const std::int64_t count = std::min(columns_together, inner - first);
      Sums sums{};
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t c = 0; c < count; ++c)
          sums[at(c)] +=
              static_cast<double>(term((o * n + j) * inner + first + c, o * inner + first + c));
      for (std::int64_t c = 0; c < count; ++c) store(o * inner + first + c, sums[at(c)]);
    }
}

// gradient = slope(element, index of its result) for every element of x, added or set; the slope
// contains the upstream gradient.
template <typename T, typename Slope>
void spread(const Frame<T>& f, const AxisLoops& loops, Slope slope) {
  if (!f.wants(0)) return;
  T* const to = f.gradient(0);
  const bool add = f.accumulates(0);
  for (std::int64_t o = 0; o < loops.outer; ++o)
    for (std::int64_t j = 0; j < loops.n; ++j) {
      const std::int64_t first = (o * loops.n + j) * loops.inner, result = o * loops.inner;
      for (std::int64_t c = 0; c < loops.inner; ++c) {
        const T value = slope(first + c, result + c);
        to[first + c] = add ? to[first + c] + value : value;
      }
    }
}

enum class Division { no, by_count };

struct Sum final : TypedOp<Sum>, Reduction {
  Division divide;
  Sum(Over where, Division by) : Reduction{where}, divide(by) {}
  const char* name() const override { return divide == Division::no ? "sum" : "mean"; }
  Shape infer(std::span<const Shape> in) const override { return reduced(in[0]); }
  [[nodiscard]] double factor(std::int64_t n) const {
    return divide == Division::by_count ? 1 / static_cast<double>(n) : 1;
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const AxisLoops l = loops(f.inputs[0].shape);
    const T* const x = f.in(0).data;
    sum_over(
        l, [=](std::int64_t i, std::int64_t) { return x[i]; },
        [&](std::int64_t r, double sum) { f.output[r] = static_cast<T>(sum * factor(l.n)); });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const AxisLoops l = loops(f.inputs[0].shape);
    const T scale = static_cast<T>(factor(l.n));
    const T* const u = f.output_gradient;
    spread(f, l, [=](std::int64_t, std::int64_t r) { return scale * u[r]; });
  }
};

enum class End { lowest, highest };

struct Extreme final : TypedOp<Extreme>, Reduction {
  End end;
  Extreme(Over where, End which) : Reduction{where}, end(which) {}
  const char* name() const override { return end == End::highest ? "max" : "min"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(loops(in[0]).n > 0, in,
               std::string("the ") + (end == End::highest ? "maximum" : "minimum") + " of nothing");
    return reduced(in[0]);
  }
  Keeps keeps() const override { return {.inputs = 1, .output = true}; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    end == End::highest ? select(f, [](T a, T b) { return a > b; })
                        : select(f, [](T a, T b) { return a < b; });
  }
  template <typename T, typename Beats>
  void select(const Frame<T>& f, Beats beats) const {
    const auto [outer, n, inner] = loops(f.inputs[0].shape);
    for (std::int64_t o = 0; o < outer; ++o) {
      const T* const x = f.in(0).data + o * n * inner;
      T* const y = f.output + o * inner;
      std::copy_n(x, inner, y);
      for (std::int64_t i = inner; i < n * inner; i += inner)
        for (std::int64_t c = 0; c < inner; ++c) {
          const T next = x[i + c];
          y[c] = beats(next, y[c]) || next != next ? next : y[c];  // nan stays
        }
    }
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    const auto [outer, n, inner] = loops(f.inputs[0].shape);
    T* const to = f.begin_gradient(0);
    for (std::int64_t r = 0; r < outer * inner; ++r) {
      std::int64_t i = r / inner * n * inner + r % inner;
      const std::int64_t last = i + (n - 1) * inner;
      while (i < last && f.in(0)[i] != f.output[r]) i += inner;
      to[i] += f.output_gradient[r];
    }
  }
};

struct LogSumExp final : TypedOp<LogSumExp>, Reduction {
  explicit LogSumExp(Over where) : Reduction{where} {}
  const char* name() const override { return "logsumexp"; }
  Shape infer(std::span<const Shape> in) const override { return reduced(in[0]); }
  Keeps keeps() const override { return {.inputs = 1, .output = true}; }

  // The maximum goes to the output first; then sums of e^(x - maximum), a block of n at a time.
  template <typename T>
  void forward(const Frame<T>& f) const {
    const AxisLoops l = loops(f.inputs[0].shape);
    const T* const x = f.in(0).data;
    for (std::int64_t r = 0; r < l.outer * l.inner; ++r) {
      const T* const from = x + r / l.inner * l.n * l.inner + r % l.inner;
      T largest = -std::numeric_limits<T>::infinity();
      for (std::int64_t j = 0; j < l.n; ++j) largest = std::max(largest, from[j * l.inner]);
      f.output[r] = largest;
      if (!std::isfinite(largest)) {
        for (std::int64_t j = 0; j < l.n; ++j)
          if (std::isnan(from[j * l.inner])) f.output[r] = from[j * l.inner];
        continue;
      }
      double sum = 0;
      elementwise::in_blocks(at(l.n), [&](std::size_t first, std::size_t count) {
        elementwise::Run<T> e;
        for (std::size_t j = 0; j < count; ++j)
          e[j] = from[static_cast<std::int64_t>(first + j) * l.inner] - largest;
        vec::exp(std::span(e).first(count), std::span(e).first(count));
        sum += row_sum(static_cast<std::int64_t>(count), [&](std::int64_t j) { return e[at(j)]; });
      });
      f.output[r] = static_cast<T>(static_cast<double>(largest) + log_of_sum(sum));
    }
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    const AxisLoops l = loops(f.inputs[0].shape);
    T* const to = f.begin_gradient(0);
    for (std::int64_t r = 0; r < l.outer * l.inner; ++r) {
      const std::int64_t start = r / l.inner * l.n * l.inner + r % l.inner;
      const T y = f.output[r], u = f.output_gradient[r];
      if (!std::isfinite(y)) continue;
      elementwise::in_blocks(at(l.n), [&](std::size_t first, std::size_t count) {
        elementwise::Run<T> e;
        const std::int64_t from = start + static_cast<std::int64_t>(first) * l.inner;
        for (std::size_t j = 0; j < count; ++j)
          e[j] = f.in(0)[from + static_cast<std::int64_t>(j) * l.inner] - y;
        vec::exp(std::span(e).first(count), std::span(e).first(count));
        for (std::size_t j = 0; j < count; ++j)
          to[from + static_cast<std::int64_t>(j) * l.inner] += u * e[j];
      });
    }
  }
};

struct Variance final : TypedOp<Variance>, Reduction {
  explicit Variance(Over where) : Reduction{where} {}
  const char* name() const override { return "variance"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(loops(in[0]).n > 0, in, "the variance of nothing");
    return reduced(in[0]);
  }
  Keeps keeps() const override { return {.inputs = 1}; }
  Scratch scratch(std::span<const Shape>, const Shape& out, const Numerics&) const override {
    return {.saved = out.elements()};  // means
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const AxisLoops l = loops(f.inputs[0].shape);
    const T* const x = f.in(0).data;
    T* const mean = f.saved();
    const double n = static_cast<double>(l.n);
    sum_over(
        l, [=](std::int64_t i, std::int64_t) { return x[i]; },
        [=](std::int64_t r, double sum) { mean[r] = static_cast<T>(sum / n); });
    sum_over(
        l,
        [=](std::int64_t i, std::int64_t r) {
          const double d = static_cast<double>(x[i]) - static_cast<double>(mean[r]);
          return d * d;
        },
        [&](std::int64_t r, double sum) { f.output[r] = static_cast<T>(sum / n); });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const AxisLoops l = loops(f.inputs[0].shape);
    const T scale = T(2) / static_cast<T>(l.n);
    const T *x = f.in(0).data, *u = f.output_gradient, *mean = f.saved();
    spread(f, l, [=](std::int64_t i, std::int64_t r) { return scale * u[r] * (x[i] - mean[r]); });
  }
};

}  // namespace

Over over_axis(Var x, int axis) {
  const int first = resolved_axis(x.shape(), axis);
  return {first, first + 1};
}
Over over_all(Var x) { return {0, x.shape().rank()}; }
Over over_trailing(Var x, int kept) {
  expect_fit(0 <= kept && kept <= x.shape().rank(), std::span(&x.shape(), 1),
             "has no " + std::to_string(kept) + " leading axes");
  return {kept, x.shape().rank()};
}

Var sum(Var x, Over over) {
  return x.graph().apply(std::make_unique<Sum>(over, Division::no), {x});
}
Var mean(Var x, Over over) {
  return x.graph().apply(std::make_unique<Sum>(over, Division::by_count), {x});
}
Var max(Var x, Over over) {
  return x.graph().apply(std::make_unique<Extreme>(over, End::highest), {x});
}
Var min(Var x, Over over) {
  return x.graph().apply(std::make_unique<Extreme>(over, End::lowest), {x});
}
Var logsumexp(Var x, Over over) { return x.graph().apply(std::make_unique<LogSumExp>(over), {x}); }
Var variance(Var x, Over over) { return x.graph().apply(std::make_unique<Variance>(over), {x}); }

}  // namespace logpx
