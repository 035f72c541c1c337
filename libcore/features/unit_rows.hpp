// Rows as extractors read them: levels scaled to [0, 1], pictures with channels first.
//
//   std::vector<float> x(4 * 3 * 28 * 28);
//   unit_rows(examples, wanted, x);  // grey pictures become RGB where `wanted` has 3 channels
#pragma once

#include "libcore/model/model.hpp"

#include <span>

namespace logpx {

// x [rows, dims of `wanted`]. Real values of a domain with two ends are scaled to [0, 1] too;
// others stay as they are stored.
void unit_rows(const Examples& examples, const DatasetInfo& wanted, std::span<float> x);

// The same info with three channels.
[[nodiscard]] DatasetInfo with_colour(DatasetInfo info);
// Whether rows are pictures of one channel.
[[nodiscard]] bool is_grey(const DatasetInfo& info);

}  // namespace logpx
