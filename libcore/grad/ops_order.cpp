#include "libcore/grad/ops_order.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace logpx {
namespace {

// Numbers of the dims that exist, by falling score; returns how many. As reals, of which those up
// to 2^24 are exact.
template <typename T>
std::int64_t sort_dims(const T* scores, const T* exists, std::int64_t dims, T* order) {
  std::int64_t count = 0;
  for (std::int64_t k = 0; k < dims; ++k)
    if (exists[k] != 0) order[count++] = static_cast<T>(k);
  std::sort(order, order + count, [scores](T a, T b) {
    const T x = scores[static_cast<std::int64_t>(a)], y = scores[static_cast<std::int64_t>(b)];
    return x > y || (x == y && a < b);
  });
  return count;
}

void expect_rows_of_dims(std::span<const Shape> in, const Shape& counts) {
  const Shape& scores = in[0];
  bool fits = scores.rank() == 2 && counts == Shape{scores[0]};
  for (const Shape& shape : in) fits = fits && (shape == scores || shape == counts);
  expect_fit(fits, in, "expected rows of dims [B,L] and counts [B]");
}

struct PrefixMask final : TypedOp<PrefixMask> {
  const char* name() const override { return "prefix_mask"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_rows_of_dims(in, in[1]);
    return in[0];
  }
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = in[0].back()};
  }
  bool differentiable() const override { return false; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t rows = f.output_shape[0], dims = f.output_shape[1];
    std::fill_n(f.output, f.out().size(), T(0));
    for (std::int64_t b = 0; b < rows; ++b) {
      const std::int64_t first = b * dims;
      const std::int64_t there =
          sort_dims(f.in(0).data + first, f.in(2).data + first, dims, f.workspace());
      LOGPX_ASSERT(0 <= f.index(1)[b] && f.index(1)[b] <= there);
      for (std::int64_t j = 0; j < f.index(1)[b]; ++j)
        f.output[first + static_cast<std::int64_t>(f.workspace()[j])] = 1;
    }
  }
  template <typename T>
  void backward(const Frame<T>&) const {}
};

// sum_{j < count} (g_{z_j} - logsumexp_{k >= j} g_{z_k}), the sums from the end of the order.
struct PlackettLucePrefix final : TypedOp<PlackettLucePrefix> {
  const char* name() const override { return "plackett_luce_prefix"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_rows_of_dims(in, in[2]);
    return in[2];
  }
  Keeps keeps() const override { return {.inputs = 0b1101}; }
  // The order, and the sums from each place of it.
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.saved = 2 * in[0].elements()};
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t dims = f.in(0).shape[1];
    for (std::int64_t b = 0; b < f.out().size(); ++b) {
      const T* const g = f.in(0).data + b * dims;
      T* const order = f.saved() + 2 * b * dims;
      T* const sums = order + dims;
      const std::int64_t there =
          sort_dims(f.in(1).data + b * dims, f.in(3).data + b * dims, dims, order);
      LOGPX_ASSERT(0 <= f.index(2)[b] && f.index(2)[b] <= there);
      double log_sum = -std::numeric_limits<double>::infinity(), nats = 0;
      for (std::int64_t j = there; j-- > 0;) {
        const auto here = static_cast<double>(g[static_cast<std::int64_t>(order[j])]);
        const double larger = std::max(here, log_sum), smaller = std::min(here, log_sum);
        log_sum = larger + det_log(1 + det_exp(smaller - larger));
        sums[j] = static_cast<T>(log_sum);
        if (j < f.index(2)[b]) nats += here - log_sum;
      }
      f.output[b] = static_cast<T>(nats);
    }
  }
  // 1[k < count] - sum_{j <= k, j < count} q(z_k | z_<j) at z_k.
  template <typename T>
  void backward(const Frame<T>& f) const {
    for (const int unmoved : {1, 3})
      if (f.wants(unmoved)) (void)f.begin_gradient(unmoved);
    if (!f.wants(0)) return;
    const std::int64_t dims = f.in(0).shape[1];
    T* const to = f.begin_gradient(0);
    for (std::int64_t b = 0; b < f.upstream().size(); ++b) {
      const T* const g = f.in(0).data + b * dims;
      const T* const exists = f.in(3).data + b * dims;
      const T* const order = f.saved() + 2 * b * dims;
      const std::int64_t there = dims - std::count(exists, exists + dims, T(0));
      const std::int64_t count = f.index(2)[b];
      // log of the sum over j of 1 / sum_{k >= j} e^g, relative to the last of them.
      double log_shares = -std::numeric_limits<double>::infinity();
      for (std::int64_t k = 0; k < there; ++k) {
        if (k < count) {
          const double share = -static_cast<double>(order[dims + k]);
          const double larger = std::max(share, log_shares), smaller = std::min(share, log_shares);
          log_shares = larger + det_log(1 + det_exp(smaller - larger));
        }
        const auto place = static_cast<std::int64_t>(order[k]);
        const double drawn = det_exp(static_cast<double>(g[place]) + log_shares);
        to[b * dims + place] += f.output_gradient[b] * static_cast<T>((k < count ? 1 : 0) - drawn);
      }
    }
  }
};

struct MaskedLogSoftmax final : TypedOp<MaskedLogSoftmax> {
  const char* name() const override { return "masked_log_softmax"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 1 && in[0] == in[1], in, "expected a mask of the same shape");
    return in[0];
  }
  Keeps keeps() const override { return {.inputs = 0b10, .output = true}; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t n = f.output_shape.back();
    for (std::int64_t first = 0; first < f.out().size(); first += n) {
      const T* const x = f.in(0).data + first;
      const T* const mask = f.in(1).data + first;
      double largest = -std::numeric_limits<double>::infinity();
      for (std::int64_t k = 0; k < n; ++k)
        if (mask[k] != 0) largest = std::max(largest, static_cast<double>(x[k]));
      const double sum = row_sum(n, [&](std::int64_t k) {
        return mask[k] != 0 ? det_exp(static_cast<double>(x[k]) - largest) : 0.0;
      });
      const double log_sum = largest + log_of_sum(sum);
      for (std::int64_t k = 0; k < n; ++k)
        f.output[first + k] =
            mask[k] != 0 ? static_cast<T>(static_cast<double>(x[k]) - log_sum) : T(0);
    }
  }
  // u - p sum(u) over the places that the mask keeps.
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (f.wants(1)) (void)f.begin_gradient(1);
    if (!f.wants(0)) return;
    const std::int64_t n = f.output_shape.back();
    T* const to = f.begin_gradient(0);
    for (std::int64_t first = 0; first < f.upstream().size(); first += n) {
      const T* const mask = f.in(1).data + first;
      const T* const u = f.output_gradient + first;
      const double sum = row_sum(
          n, [&](std::int64_t k) { return mask[k] != 0 ? static_cast<double>(u[k]) : 0.0; });
      for (std::int64_t k = 0; k < n; ++k)
        if (mask[k] != 0)
          to[first + k] += static_cast<T>(static_cast<double>(u[k]) -
                                          det_exp(static_cast<double>(f.output[first + k])) * sum);
    }
  }
};

struct SoftmaxEntropy final : TypedOp<SoftmaxEntropy> {
  const char* name() const override { return "softmax_entropy"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 1 && in[0].back() > 0, in, "expected logits [...,C]");
    return Shape(in[0].sizes().first(in[0].sizes().size() - 1));
  }
  Keeps keeps() const override { return {.inputs = 1, .output = true}; }
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = 2 * in[0].back()};
  }

  // Logits of a row less log sum e^logit, and their exponentials; both 0 where a logit is -inf.
  template <typename T>
  static void normalise(const T* logits, std::int64_t classes, T* log_p, T* p) {
    const T largest = *std::max_element(logits, logits + classes);
    for (std::int64_t c = 0; c < classes; ++c) log_p[c] = logits[c] - largest;
    const std::span<T> all(p, at(classes));
    vec::exp(std::span<const T>(log_p, at(classes)), all);
    const double sum = row_sum(classes, [p](std::int64_t c) { return p[c]; });
    const T log_sum = static_cast<T>(log_of_sum(sum)), inverse = static_cast<T>(1 / sum);
    for (std::int64_t c = 0; c < classes; ++c) {
      p[c] *= inverse;
      log_p[c] = std::isinf(logits[c]) ? T(0) : log_p[c] - log_sum;
    }
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t classes = f.in(0).shape.back();
    T *const log_p = f.workspace(), *const p = log_p + classes;
    for (std::int64_t row = 0; row < f.out().size(); ++row) {
      normalise(f.in(0).data + row * classes, classes, log_p, p);
      f.output[row] =
          static_cast<T>(-row_sum(classes, [&](std::int64_t c) { return p[c] * log_p[c]; }));
    }
  }
  // -p (log p + H)
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    const std::int64_t classes = f.in(0).shape.back();
    T *const log_p = f.workspace(), *const p = log_p + classes;
    T* const to = f.begin_gradient(0);
    for (std::int64_t row = 0; row < f.upstream().size(); ++row) {
      normalise(f.in(0).data + row * classes, classes, log_p, p);
      for (std::int64_t c = 0; c < classes; ++c)
        to[row * classes + c] -= f.output_gradient[row] * p[c] * (log_p[c] + f.output[row]);
    }
  }
};

}  // namespace

Var prefix_mask(Var scores, Var counts, Var exists) {
  return scores.graph().apply(std::make_unique<PrefixMask>(), {scores, counts, exists});
}
Var plackett_luce_prefix(Var g, Var scores, Var counts, Var exists) {
  return g.graph().apply(std::make_unique<PlackettLucePrefix>(), {g, scores, counts, exists});
}
Var masked_log_softmax(Var x, Var mask) {
  return x.graph().apply(std::make_unique<MaskedLogSoftmax>(), {x, mask});
}
Var softmax_entropy(Var logits) {
  return logits.graph().apply(std::make_unique<SoftmaxEntropy>(), {logits});
}

}  // namespace logpx
