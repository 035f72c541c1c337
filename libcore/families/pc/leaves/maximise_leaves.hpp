// The M-step of leaves that are not tables: parameters from expected statistics of their nodes.
// [pc/README 2.2, 6.2]
//
//   stats, full        F as in maximisation/maximise.hpp,  q = M(F + kappa p)
//   params, momentum   q = (1 - eta) q + eta M(C + kappa p)
//
// p are the statistics of an average row of the data.
#pragma once

#include "libcore/families/pc/maximisation/maximise.hpp"
#include "libcore/families/pc/passes/plan.hpp"

#include <span>
#include <vector>

namespace logpx::pc {

// By block: what is known of the variable of a leaf that is not a table and has parameters.
using LeafTargets = std::vector<LeafData>;

// Nodes without counts and pseudocounts stay as they are.
template <typename T>
void maximise_leaves(const PassPlan& plan, const MaximiseStep& step, const LeafTargets& targets,
                     std::span<const T> counts, std::span<T> statistics, std::span<T> theta);

// The same for leaves of several variables, whose nodes learn together. Covariances need more rows
// than a minibatch has: by the rule `stats` F begins with what the nodes say before the first step,
// and at most so large a part of it is replaced as this update's rows are of all.
using JointTargets = std::vector<JointData>;  // by block
template <typename T>
void maximise_joints(const PassPlan& plan, const MaximiseStep& step, const JointTargets& targets,
                     std::span<const T> counts, std::span<T> statistics, std::span<T> theta);

}  // namespace logpx::pc
