// Noise that belongs to rows: each row has a substream of its own, so that its noise depends
// neither on other rows nor on how many draws are made at a time.
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace logpx {

struct NoiseBlock {
  std::int64_t copies = 1, count = 0, first_copy = 0;
};

// Standard normals [copies, count, dims]: copy c of row i has the elements (first_copy + c) dims +
// j of the row's substream.
void fill_row_noise(std::span<float> noise, const NoiseBlock& block,
                    const std::function<Substream(std::int64_t row)>& of_row);

}  // namespace logpx
