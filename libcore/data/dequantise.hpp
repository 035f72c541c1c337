// Uniform dequantisation: a level k becomes a real number in [k, k+1).   [data/README 2.2]
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <span>

namespace logpx {

// The noise of one epoch of training, and that of every evaluation.
[[nodiscard]] Substream training_dequantisation(Rng rng, std::uint32_t epoch);
[[nodiscard]] Substream evaluation_dequantisation();

// level + u, never rounded up to the next level.
[[nodiscard]] float dequantised_value(float level, double u);

// x[i] += u, with u the uniform of element first_element + i; dimension j of row r of the dataset
// is element r * dims + j. Never rounds up to the next level.
void dequantise(std::span<float> x, std::uint64_t first_element, Substream noise);

}  // namespace logpx
