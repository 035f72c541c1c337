// The entropy of rows together with their hidden choices: of each sum which input it takes, layer
// by layer of a Monarch sum, and of each leaf its value. It is exact, by one way up, and at least
// that of the rows alone.   [pc/README 9.12]
//
//   h(sum) = sum_i w_i (-ln w_i + h(input i)),   h(product) = sum of its children's
#pragma once

#include "libcore/families/pc/passes/plan.hpp"

#include <cstdint>
#include <span>

namespace logpx::pc {

// In nats, of rows of so many steps; for real numbers that of their density as the circuit reads
// them.
[[nodiscard]] double joint_entropy(const PassPlan& plan, std::span<const double> theta,
                                   std::int64_t steps);

}  // namespace logpx::pc
