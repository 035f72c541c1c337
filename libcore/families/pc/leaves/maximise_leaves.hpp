// The M-step of leaves that are no tables: parameters from expected statistics of their nodes.
// [spec/pc.md sections 2.2 and 6.2]
//
//   stats, full        F as in maximisation/maximise.hpp,  q = M(F + kappa p)
//   params, momentum   q = (1 - eta) q + eta M(C + kappa p)
//
// p are the statistics of one row as the data have it on average.
#pragma once

#include "libcore/families/pc/maximisation/maximise.hpp"
#include "libcore/families/pc/passes/plan.hpp"

#include <span>
#include <vector>

namespace logpx::pc {

// What is known of the variable of a leaf with parameters of its own, by block; of others nothing.
using LeafTargets = std::vector<LeafData>;

// Nodes without counts and pseudocounts stay.
template <typename T>
void maximise_leaves(const PassPlan& plan, const MaximiseStep& step, const LeafTargets& targets,
                     std::span<const T> counts, std::span<T> statistics, std::span<T> theta);

}  // namespace logpx::pc
