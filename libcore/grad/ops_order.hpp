// Orders in which the dims of a row become known, as models that learn them draw and weigh them.
// Rows have L dims, of which those exist where `exists` [B,L] is not 0; an order is that of falling
// scores [B,L] (of equals the first), so that scores + gumbel(uniform) draw it from Plackett-Luce;
// a prefix of it is its first counts[b] dims, counts [B] an index.
// [LO-ARM eqs. 7, 11, 12; arm/README 2.3]
#pragma once

#include "libcore/grad/graph.hpp"

namespace logpx {

// 1 for the dims of the prefix, else 0: [B,L], without a gradient.
[[nodiscard]] Var prefix_mask(Var scores, Var counts, Var exists);
// log q(prefix) under Plackett-Luce with logits g [B,L]: [B]. The gradient goes to g alone.
[[nodiscard]] Var plackett_luce_prefix(Var g, Var scores, Var counts, Var exists);

// log softmax of x [...,N] over the places where the mask, of the same shape, is not 0; there is at
// least one. Elsewhere 0, without a gradient; none to the mask.
[[nodiscard]] Var masked_log_softmax(Var x, Var mask);
// Nats of softmax(logits [...,C]): [...]. Classes with a logit of -inf count nothing.
[[nodiscard]] Var softmax_entropy(Var logits);

}  // namespace logpx
