// Bounds of log p(x) from both sides, on examples that the model drew itself.
#pragma once

#include "libcore/eval/evidence.hpp"

#include <cstdint>

namespace logpx {

class Workers;

struct SimulatedBounds {
  Estimate lower, upper, distance;
};
[[nodiscard]] SimulatedBounds simulate_bounds(const Model& model, std::int64_t count,
                                              const AisOptions& options, Rng rng, Workers& workers);

}  // namespace logpx
