// From normal scores to what a generator sees, as a node of a graph: z = F^-1(Phi(v)), then
// s_q = sum_p z_qp, with dz/dv = phi(v) / p(z).   [kaem/README 4.4]
#pragma once

#include "libcore/grad/graph.hpp"

namespace logpx::kaem {

class KaemModel;

// v [...,E] to s [n,Q], computed in double. The model's prior is a constant of the graph: whoever
// runs it sees the scores as they are then.
[[nodiscard]] Var prior_sums(const KaemModel& model, Var v);

}  // namespace logpx::kaem
