// Along one axis, the shape staying: softmax, log_softmax, cumulative sum.
#include "libcore/base/index.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace logpx {
namespace {

// One line of the axis in consecutive memory: the tensor's own when inner is 1, else a copy.
template <typename T>
struct Line {
  std::int64_t start, n, step;

  [[nodiscard]] const T* read(const T* tensor, T* buffer) const {
    if (step == 1) return tensor + start;
    for (std::int64_t j = 0; j < n; ++j) buffer[j] = tensor[start + j * step];
    return buffer;
  }
};

template <typename T, typename Body>
void for_each_line(const AxisLoops& l, Body body) {
  for (std::int64_t o = 0; o < l.outer; ++o)
    for (std::int64_t c = 0; c < l.inner; ++c) body(Line<T>{o * l.n * l.inner + c, l.n, l.inner});
}

enum class Scale { probabilities, logarithms };

struct Softmax : TypedOp<Softmax> {
  Scale scale;
  int axis;
  Softmax(Scale s, int a) : scale(s), axis(a) {}
  const char* name() const override {
    return scale == Scale::probabilities ? "softmax" : "log_softmax";
  }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }
  Keeps keeps() const override { return {.output = true}; }
  // Two lines: one as read, one of exponentials.
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = 2 * around_axis(in[0], axis).n};
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const AxisLoops l = around_axis(f.output_shape, axis);
    T* const e = f.workspace() + l.n;
    for_each_line<T>(l, [&](const Line<T>& line) {
      const T* const x = line.read(f.in(0).data, f.workspace());
      T largest = -std::numeric_limits<T>::infinity();
      for (std::int64_t j = 0; j < l.n; ++j) largest = std::max(largest, x[j]);
      T* const y = f.output + line.start;
      if (std::all_of(x, x + l.n, [=](T v) { return v == -std::numeric_limits<T>::infinity(); })) {
        for (std::int64_t j = 0; j < l.n; ++j)
          y[j * line.step] = scale == Scale::probabilities ? T(0) : largest;
        return;
      }
      for (std::int64_t j = 0; j < l.n; ++j) e[j] = x[j] - largest;
      vec::exp({e, at(l.n)}, {e, at(l.n)});
      const double sum = row_sum(l.n, [e](std::int64_t j) { return e[j]; });
      const T inverse = static_cast<T>(1 / sum);
      const double log_sum = log_of_sum(sum);
      for (std::int64_t j = 0; j < l.n; ++j)
        y[j * line.step] = scale == Scale::probabilities
                               ? e[j] * inverse
                               : static_cast<T>(static_cast<double>(x[j]) -
                                                static_cast<double>(largest) - log_sum);
    });
  }

  // softmax: y (u - <u, y>); log_softmax: u - e^y sum(u).
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    const AxisLoops l = around_axis(f.output_shape, axis);
    T* const to = f.gradient(0);
    for_each_line<T>(l, [&](const Line<T>& line) {
      const T* const y = line.read(f.output, f.workspace());
      const T* const u = f.output_gradient + line.start;
      T* const p = f.workspace() + l.n;
      const auto store = [&](std::int64_t j, T value) {
        T& place = to[line.start + j * line.step];
        place = f.accumulates(0) ? place + value : value;
      };
      if (scale == Scale::probabilities) {
        const T dot =
            static_cast<T>(row_sum(l.n, [&](std::int64_t j) { return u[j * line.step] * y[j]; }));
        for (std::int64_t j = 0; j < l.n; ++j) store(j, y[j] * (u[j * line.step] - dot));
        return;
      }
      const bool impossible = std::all_of(y, y + l.n, [](T v) { return std::isinf(v); });
      vec::exp({y, at(l.n)}, {p, at(l.n)});
      const T sum = static_cast<T>(row_sum(l.n, [&](std::int64_t j) { return u[j * line.step]; }));
      for (std::int64_t j = 0; j < l.n; ++j)
        store(j, impossible ? T(0) : u[j * line.step] - p[j] * sum);
    });
  }
};

struct CumulativeSum final : TypedOp<CumulativeSum> {
  int axis;
  Direction direction;
  CumulativeSum(int a, Direction d) : axis(a), direction(d) {}
  const char* name() const override { return "cumulative_sum"; }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }

  // store(element, sum so far), in the given direction.
  template <typename T, typename Store>
  static void accumulate(const AxisLoops& l, const T* from, Direction way, Store store) {
    for_each_line<T>(l, [&](const Line<T>& line) {
      double sum = 0;
      for (std::int64_t j = 0; j < l.n; ++j) {
        const std::int64_t place = way == Direction::forward ? j : l.n - 1 - j;
        const std::int64_t i = line.start + place * line.step;
        sum += static_cast<double>(from[i]);
        store(i, static_cast<T>(sum));
      }
    });
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    accumulate(around_axis(f.output_shape, axis), f.in(0).data, direction,
               [&](std::int64_t i, T sum) { f.output[i] = sum; });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    T* const to = f.gradient(0);
    const bool add = f.accumulates(0);
    const Direction back =
        direction == Direction::forward ? Direction::reverse : Direction::forward;
    accumulate(around_axis(f.output_shape, axis), f.output_gradient, back,
               [=](std::int64_t i, T sum) { to[i] = add ? to[i] + sum : sum; });
  }
};

Var softmax_of(Var x, Scale scale, int axis) {
  return x.graph().apply(std::make_unique<Softmax>(scale, resolved_axis(x.shape(), axis)), {x});
}

}  // namespace

Var softmax(Var x, int axis) { return softmax_of(x, Scale::probabilities, axis); }
Var log_softmax(Var x, int axis) { return softmax_of(x, Scale::logarithms, axis); }
Var cumulative_sum(Var x, int axis, Direction direction) {
  return x.graph().apply(std::make_unique<CumulativeSum>(resolved_axis(x.shape(), axis), direction),
                         {x});
}

}  // namespace logpx
