// Random draws and gates. Noise is an input, made by address outside of the graph
// [train/README 4.3]: uniforms in (0, 1), standard normals.
#pragma once

#include "libcore/grad/graph.hpp"

#include <cstdint>
#include <limits>

namespace logpx {

// mean + e^(log_var / 2) noise; operands repeat (row_function.hpp): noise [L,M,J] over mean [M,J].
[[nodiscard]] Var reparameterise(Var mean, Var log_var, Var noise);

// The value of x, and no gradient.
[[nodiscard]] Var stop_gradient(Var x);
// The value of `hard`, the gradient to `soft`.
[[nodiscard]] Var straight_through(Var hard, Var soft);
// The value of `hard`; the gradient to it too, or to `soft` where that is beyond the limits.
struct Limits {
  double low = -std::numeric_limits<double>::infinity(),
         high = std::numeric_limits<double>::infinity();
};
[[nodiscard]] Var straight_beyond(Var hard, Var soft, Limits limits);
// The value of x, `factor` times the gradient.
[[nodiscard]] Var scale_gradient(Var x, double factor);
// x / (1 - rate) where mask is 1, else 0; the mask repeats and gets no gradient.
[[nodiscard]] Var dropout(Var x, Var mask, double rate);

// Draws, without gradient:
// 1 where uniform < p, else 0; p repeats.
[[nodiscard]] Var bernoulli_sample(Var p, Var uniform);
// One-hot [...,C] of the first j whose cumulative softmax(logits) reaches uniform [...].
[[nodiscard]] Var categorical_sample(Var logits, Var uniform);
// One-hot of the largest of scores [...,C]; with logits + gumbel(uniform) a categorical draw.
[[nodiscard]] Var one_hot_max(Var scores);
// Numbers of the k largest of scores [...,N], largest first, as reals [...,k]; of equals the first.
// With scores + gumbel(uniform): k draws without replacement (Plackett-Luce) [LO-ARM alg. 1].
[[nodiscard]] Var top_k(Var scores, std::int64_t k);

// -log(-log u)
[[nodiscard]] Var gumbel(Var uniform);

}  // namespace logpx
