// The objective as nodes. Of a learned order one place i is drawn, and two orders z1, z2 of
// Plackett-Luce from the same logits g; a state is what the first i - 1 dims of one tell, S.
//
//   F(S, x) = sum_{k not in S} q(k|S, x) (log p(k|S) + log p(x_k|x_S) - log q(k|S, x))
//   (L/2) ((log q(z1_<i) - log q(z2_<i)) stop(F1 - F2) + F1 + F2)
//
// has the gradient of the bound, on average over i, z1 and z2. Where the order is not learned, its
// state is an input, and L F is all.   [LO-ARM eqs. 8, 10, 11, 16, 17; spec/loarm.md section 5]
#pragma once

#include "libcore/families/arm/model.hpp"
#include "libcore/families/arm/training/learn_options.hpp"

#include <cstdint>

namespace logpx::arm {

// Inputs: those of NetLayout for the extent, but for "seen"; "length" [B], the L of a row; and
//   learned: "counts" [B], i - 1, an index; "noise1", "noise2" [B,L], of Gumbel's distribution;
//            "learns" [B,1], 0 while orders are drawn alike; "kl_weight", "entropy_weight" [B]
//   else:    "seen", and "next" [B,L], 1 for the dims that may come next
// Outputs [B]: "loss", of which the surrogate's negative is the gradient's; "nll_bound" and its
// parts "recon" and "kl_order", which no option changes; of a learned order also "f_gap",
// |F1 - F2|, and "q_entropy", that of the first choice.
void name_objective(Graph& graph, const ArmModel& model, const LearnOptions& options,
                    GraphSize size);

// The terms of a training by it, as its outputs are called.
[[nodiscard]] std::vector<std::string> objective_terms(const ArmModel& model);

}  // namespace logpx::arm
