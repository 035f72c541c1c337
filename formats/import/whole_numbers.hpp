// Arrays of integers that stay integers, as their NumPy type says.
#pragma once

#include "formats/import/array_importer.hpp"
#include "formats/import/options.hpp"

#include <vector>

namespace logpx {

// The reading that the options ask for; by default symbols where arrays hold integers from 0 to
// 65535, with one level more than the largest. Other integers become float32, with a warning in
// `record`. To find out, all numbers are read before the first row is made.
[[nodiscard]] ImportOptions keep_integers(std::vector<OpenArray>& arrays, ImportOptions options,
                                          ImportRecord& record);

}  // namespace logpx
