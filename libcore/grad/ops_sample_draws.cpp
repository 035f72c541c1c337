// Draws without a gradient.
#include "libcore/det/functions.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_sample.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace logpx {
namespace {

template <typename Derived>
struct Draw : TypedOp<Derived> {
  bool differentiable() const override { return false; }
  template <typename T>
  void backward(const Frame<T>&) const {}
};

struct BernoulliSample final : Draw<BernoulliSample> {
  const char* name() const override { return "bernoulli_sample"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape &p = in[0], &u = in[1];
    bool fits = p.rank() <= u.rank();
    for (int axis = 1; fits && axis <= p.rank(); ++axis)
      fits = p[p.rank() - axis] == u[u.rank() - axis];
    expect_fit(fits, in, "the probabilities do not repeat in the uniforms");
    return u;
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    for (std::int64_t i = 0; i < f.out().size(); ++i)
      f.output[i] = f.in(1)[i] < f.in(0)[i % f.in(0).size()] ? T(1) : T(0);
  }
};

struct CategoricalSample final : Draw<CategoricalSample> {
  const char* name() const override { return "categorical_sample"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(
        in[0].back() > 0 && in[0].rank() == in[1].rank() + 1 && in[0].rows() == in[1].elements(),
        in, "expected logits [...,C] and uniforms [...]");
    return in[0];
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t classes = f.output_shape.back();
    std::fill_n(f.output, f.out().size(), T(0));
    for (std::int64_t row = 0; row < f.in(1).size(); ++row) {
      const T* const logits = f.in(0).data + row * classes;
      const double largest = static_cast<double>(*std::max_element(logits, logits + classes));
      const auto weight = [&](std::int64_t c) {
        return det_exp(static_cast<double>(logits[c]) - largest);
      };
      double total = 0, sum = 0;
      for (std::int64_t c = 0; c < classes; ++c) total += weight(c);
      // Rounding must not run past the end, nor stop at a class of probability 0.
      std::int64_t drawn = 0;
      for (std::int64_t c = 0; c < classes; ++c) {
        if (weight(c) > 0) drawn = c;
        sum += weight(c);
        if (weight(c) > 0 && sum >= static_cast<double>(f.in(1)[row]) * total) break;
      }
      f.output[row * classes + drawn] = 1;
    }
  }
};

struct OneHotMax final : Draw<OneHotMax> {
  const char* name() const override { return "one_hot_max"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].back() > 0, in, "the maximum of nothing");
    return in[0];
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t n = f.output_shape.back();
    std::fill_n(f.output, f.out().size(), T(0));
    for (std::int64_t first = 0; first < f.out().size(); first += n) {
      const T* const row = f.in(0).data + first;
      f.output[first + (std::max_element(row, row + n) - row)] = 1;
    }
  }
};

struct TopK final : Draw<TopK> {
  std::int64_t k;
  explicit TopK(std::int64_t count) : k(count) {}
  const char* name() const override { return "top_k"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 1 && 0 <= k && k <= in[0].back(), in,
               "has no " + std::to_string(k) + " entries");
    Shape out = in[0];
    out[out.rank() - 1] = k;
    return out;
  }
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = in[0].back()};
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t n = f.in(0).shape.back();
    T* const order = f.workspace();  // numbers up to 2^24 are exact in float
    for (std::int64_t row = 0; row < f.in(0).shape.rows(); ++row) {
      const T* const score = f.in(0).data + row * n;
      for (std::int64_t i = 0; i < n; ++i) order[i] = static_cast<T>(i);
      std::partial_sort(order, order + k, order + n, [score](T a, T b) {
        const T x = score[static_cast<std::int64_t>(a)], y = score[static_cast<std::int64_t>(b)];
        return x > y || (x == y && a < b);
      });
      std::copy_n(order, k, f.output + row * k);
    }
  }
};

}  // namespace

Var bernoulli_sample(Var p, Var uniform) {
  return p.graph().apply(std::make_unique<BernoulliSample>(), {p, uniform});
}
Var categorical_sample(Var logits, Var uniform) {
  return logits.graph().apply(std::make_unique<CategoricalSample>(), {logits, uniform});
}
Var one_hot_max(Var scores) {
  return scores.graph().apply(std::make_unique<OneHotMax>(), {scores});
}
Var top_k(Var scores, std::int64_t k) {
  return scores.graph().apply(std::make_unique<TopK>(k), {scores});
}

}  // namespace logpx
