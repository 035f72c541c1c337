// --known: which places of every row are given.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

// 1 for each value of the row that is given, [dims] in stored order; a mask is read from its file.
[[nodiscard]] std::vector<std::uint8_t> read_known_places(const std::string& text,
                                                          const DatasetInfo& info);

}  // namespace logpx
