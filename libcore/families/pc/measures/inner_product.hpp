// The sum of p(x) q(x) over all rows x, for two circuits that split the same variables in the same
// way: for every pair of blocks of one scope, the inner products of all pairs of their nodes.
//   [pc/README 9.12]
//
//   <W f, g> = W <f, g>,   <f1 f2, g1 g2> = <f1, g1> <f2, g2>
#pragma once

#include "libcore/families/pc/passes/plan.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace logpx::pc {

// A circuit with its numbers. in_units: parameters of a real variable's leaf, mean and deviation,
// in the units of the data.
struct SummedCircuit {
  struct Normal {
    double mean = 0, deviation = 1;
  };
  const PassPlan& plan;
  std::span<const double> theta;
  std::function<Normal(int variable, Normal read)> in_units = {};
};

// ln of it, for rows of so many steps. Throws a usage error that says how the forms differ.
[[nodiscard]] double log_inner_product(const SummedCircuit& a, const SummedCircuit& b,
                                       std::int64_t steps);

}  // namespace logpx::pc
