// Attention of sequences and pixels; that of graphs is in ops_graph.hpp.   [math/README 4.5]
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

}  // namespace logpx
