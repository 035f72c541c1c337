// What the layers of a graph transformer are made of: nodes [B,n,C], and edges [B,n,n,C] for every
// ordered pair. A mask [B,n] is 0 where there is no node; no gradient flows to it.
// [math/README 4.5; arm/README 8.3]
#pragma once

#include "libcore/grad/graph.hpp"
#include "libcore/grad/ops_attention.hpp"

namespace logpx {

// Attention whose scores stay apart for each channel, in two pieces, because layers go on with the
// scores: q k scale (1 + factor) + bias for q [B,n,C], k [B,m,C] and gates [B,n,m,2C], which hold
// the factors and then the biases: [B,n,m,C].
struct EdgeScores {
  Var q, k, gates;
  double scale = 1;
};
[[nodiscard]] Var edge_scores(const EdgeScores& call);

// Softmax of scores [B,n,m,C] over the keys m that the mask shows, times v [B,m,C]: [B,n,C]. Zeros,
// and no gradient to the scores, where it shows none or all that it shows are -inf.
[[nodiscard]] Var edge_attention(Var scores, Var v, Var key_mask,
                                 Probabilities probabilities = Probabilities::saved);

// x (1 + factor) + shift: x [B,...,C], film [B,2C], the factors and then the shifts of an example.
[[nodiscard]] Var modulate(Var x, Var film);

// Mean, least, largest, and sqrt(variance + 1e-5) of the rows n of x [B,n,C] that the mask [B,n]
// shows: [B,4C]. Zeros, without a gradient, where it shows none. The gradient of an extreme goes to
// the first of equals.
[[nodiscard]] Var row_statistics(Var x, Var mask);

// (x_ij + x_ji) / 2 of the pairs i < j, row by row: [B,n,n,C] to [B,n(n-1)/2,C].
[[nodiscard]] Var pair_means(Var square);

}  // namespace logpx
