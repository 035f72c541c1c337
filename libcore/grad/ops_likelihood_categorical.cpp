// Categorical with classes left out.
#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace logpx {
namespace {

struct Categorical final : TypedOp<Categorical> {
  const char* name() const override { return "categorical_log_prob"; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &logits = in[0], &x = in[1];
    expect_fit(logits.rank() >= 1 &&
                   std::ranges::equal(logits.sizes().first(logits.sizes().size() - 1), x.sizes()),
               in, "expected logits [...,C] and an index [...]");
    if (in.size() > 2) {
      const Shape& mask = in[2];
      bool fits = mask.rank() >= 1 && mask.rank() <= logits.rank();
      for (int axis = 1; fits && axis <= mask.rank(); ++axis)
        fits = mask[mask.rank() - axis] == logits[logits.rank() - axis];
      expect_fit(fits, in, "the mask does not repeat in the logits");
    }
    return x;
  }
  Keeps keeps() const override { return {.inputs = 7}; }
  // Probabilities (in forward: exponentials) of one row.
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = in[0].back()};
  }

  // Fills e with e^(logit - largest), 0 where masked; returns log sum_c e^logit.
  template <typename T>
  static double normalise(const Frame<T>& f, std::int64_t row, T& largest) {
    const std::int64_t classes = f.in(0).shape.back();
    const T* const logits = f.in(0).data + row * classes;
    T* const e = f.workspace();
    const T nothing = -std::numeric_limits<T>::infinity();
    std::copy_n(logits, classes, e);
    if (f.inputs.size() > 2) {
      const T* const mask = f.in(2).data + row * classes % f.in(2).size();
      for (std::int64_t c = 0; c < classes; ++c)
        if (mask[c] == 0) e[c] = nothing;
    }
    largest = *std::max_element(e, e + classes);
    if (largest == nothing) {
      std::fill_n(e, classes, T(0));
      return -std::numeric_limits<double>::infinity();
    }
    for (std::int64_t c = 0; c < classes; ++c) e[c] -= largest;
    const std::span<T> all(e, static_cast<std::size_t>(classes));
    vec::exp(all, all);
    return log_of_sum(row_sum(classes, [e](std::int64_t c) { return e[c]; }));
  }
  template <typename T>
  static bool possible(const Frame<T>& f, std::int64_t row, std::int64_t x) {
    const std::int64_t classes = f.in(0).shape.back();
    if (f.in(0)[row * classes + x] == -std::numeric_limits<T>::infinity()) return false;
    return f.inputs.size() < 3 || f.in(2)[(row * classes + x) % f.in(2).size()] != 0;
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t classes = f.in(0).shape.back();
    for (std::int64_t row = 0; row < f.out().size(); ++row) {
      const std::int64_t x = f.index(1)[row];
      LOGPX_ASSERT(0 <= x && x < classes);
      T largest = 0;
      const double log_sum = normalise(f, row, largest);
      const double logit = static_cast<double>(f.in(0)[row * classes + x] - largest);
      f.output[row] = possible(f, row, x) ? static_cast<T>(logit - log_sum)
                                          : -std::numeric_limits<T>::infinity();
    }
  }
  // 1[c = x] - p_c; nothing where log p is -inf.
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (f.inputs.size() > 2 && f.wants(2)) (void)f.begin_gradient(2);
    if (!f.wants(0)) return;
    const std::int64_t classes = f.in(0).shape.back();
    T* const to = f.begin_gradient(0);
    for (std::int64_t row = 0; row < f.upstream().size(); ++row) {
      const std::int64_t x = f.index(1)[row];
      if (!possible(f, row, x)) continue;
      T largest = 0;
      const T inverse = static_cast<T>(det_exp(-normalise(f, row, largest)));
      const T u = f.output_gradient[row];
      T* const place = to + row * classes;
      for (std::int64_t c = 0; c < classes; ++c) place[c] -= u * inverse * f.workspace()[c];
      place[x] += u;
    }
  }
};

}  // namespace

Var categorical_log_prob(Var logits, Var x, std::optional<Var> mask) {
  std::vector<Var> inputs = {logits, x};
  if (mask) inputs.push_back(*mask);
  return logits.graph().apply(std::make_unique<Categorical>(), inputs);
}

}  // namespace logpx
