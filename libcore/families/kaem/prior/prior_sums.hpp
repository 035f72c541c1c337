// From normal scores to what a generator sees, as a node of a graph: z = F^-1(Phi(v)), then
// s_q = sum_p z_qp, with dz/dv = phi(v) / p(z).   [kaem/README 4.4]
#pragma once

#include "libcore/families/kaem/prior/prior_components.hpp"
#include "libcore/grad/graph.hpp"

#include <functional>

namespace logpx::kaem {

// v [...,E] to s [n,Q], computed in double. The prior is a constant of the graph: whoever runs it
// sees the scores as they are then. Refers to the form.
[[nodiscard]] Var prior_sums(const PriorForm& form, std::function<const NormalScores&()> scores,
                             Var v);

}  // namespace logpx::kaem
