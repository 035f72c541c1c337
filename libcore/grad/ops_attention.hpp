// Attention, in one piece for sequences and pixels, and in two pieces for graphs, whose layers go
// on with the scores.   [spec/core.md section 3]
//
//   q [B,N,C], k [B,M,C], v [B,M,D]; head h owns channels h C/H ... (h+1) C/H - 1 of q and k, and
//   h D/H ... of v. A key mask [B,M] hides the keys where it is zero; a row whose visible keys
//   are none, or all score -inf, gives zeros and passes no gradient to its scores. No gradient
//   flows to a mask.
#pragma once

#include "libcore/grad/graph.hpp"

namespace logpx {

// What backward needs again: B H N M values kept, or computed a second time.
enum class Probabilities { saved, recomputed };

struct AttentionOptions {
  std::int64_t heads = 1;
  Probabilities probabilities = Probabilities::saved;
};

// softmax over keys of (q . k / sqrt(C/heads)), times v: [B,N,D].
[[nodiscard]] Var attention(Var q, Var k, Var v, AttentionOptions options = {});
[[nodiscard]] Var attention(Var q, Var k, Var v, Var key_mask, AttentionOptions options = {});

// q . k times `scale`, per pair and head, then times (1 + edge_factor) plus edge_bias, both
// [B,N,M,H]: [B,N,M,H]. With H = C this is the per-channel score of a graph transformer
// [LO-ARM, spec/loarm.md section 9.3].
struct EdgeScores {
  Var q, k, edge_factor, edge_bias;
  std::int64_t heads = 1;
  double scale = 1;
};
[[nodiscard]] Var edge_scores(const EdgeScores& call);

// softmax over keys of scores [B,N,M,H], times v [B,M,D]: [B,N,D].
[[nodiscard]] Var edge_attention(Var scores, Var v, Var key_mask,
                                 Probabilities probabilities = Probabilities::saved);

}  // namespace logpx
