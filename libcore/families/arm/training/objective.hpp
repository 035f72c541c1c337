// The objective as nodes. For a learned order one place i is drawn, and K orders z1 .. zK from
// Plackett-Luce with the same logits g; a state S is the first i - 1 dims of one of them.
//
//   F(S, x) = sum_{k not in S} q(k|S, x) (log p(k|S) + log p(x_k|x_S) - log q(k|S, x))
//   (L/K) sum_k (log q(zk_<i) stop(Fk - mean of the other F) + Fk)
//
// has the gradient of the bound, on average over i and the orders. Where the order is not learned,
// the state is an input, and the loss is -L F.   [LO-ARM eqs. 8, 10, 11, 16, 17; arm/README 4.1]
#pragma once

#include "libcore/families/arm/model.hpp"
#include "libcore/families/arm/training/learn_options.hpp"

#include <cstdint>
#include <span>

namespace logpx::arm {

// The random inputs of a row in the graph of the objective: its order, and a place in it.
struct RowDraw {
  std::size_t row = 0;        // of the graph
  double time = 0;            // in [0,1): the place is this share of the way along the order
  Substream orders;           // uniforms, one for every dim of each order, from ...
  std::uint64_t element = 0;  // ... this one on
};
// Sets the inputs of objective.hpp for one row with values x [dims].
void bind_row(const ArmModel& model, const NetLayout& layout, const RowDraw& draw,
              std::span<const std::int32_t> x, GraphInputs& inputs);

// Inputs: those of NetLayout for the extent, but for "seen"; "length" [B], the L of a row; and
//   learned: "counts" [B], i - 1, an index; "noise1" .. "noiseK" [B,L], of Gumbel's distribution,
//            "learns" [B,1], 0 while orders are drawn alike; "kl_weight", "entropy_weight" [B]
//   else:    "seen", and "next" [B,L], 1 for the dims that may come next
// Outputs [B]: "loss", the negative of the expression above, only for its gradient; "nll_bound" and
// its parts "recon" and "kl_order", which no weights change; for a learned order also "f_gap",
// |F1 - F2|, and "q_entropy", that of the first choice.
void name_objective(Graph& graph, const ArmModel& model, const LearnOptions& options,
                    GraphSize size);

// The outputs that training logs, by name.
[[nodiscard]] std::vector<std::string> objective_terms(const ArmModel& model);

}  // namespace logpx::arm
