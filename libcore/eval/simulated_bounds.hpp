// Bounds of log p(x) from both sides, on examples that the model drew itself.
#pragma once

#include "libcore/eval/evidence.hpp"
#include "libcore/model/abilities.hpp"

#include <cstdint>

namespace logpx {

class Workers;

struct SimulatedBounds {
  Estimate lower, upper, distance;
};
[[nodiscard]] SimulatedBounds simulate_bounds(const Abilities& can, std::int64_t count,
                                              const AisOptions& options, Rng rng, Workers& workers);

}  // namespace logpx
