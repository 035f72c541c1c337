// Arrays of integers that stay integers: NumPy says what its numbers are.
#pragma once

#include "formats/import/array_importer.hpp"
#include "formats/import/options.hpp"

#include <vector>

namespace logpx {

// What the options say, or symbols where they leave it open and the arrays hold integers that a
// dataset can hold: 0 to 65535, with one level more than the largest. Others become float32, which
// a warning in `record` says. To find out, all numbers are looked at before the first row is made.
[[nodiscard]] ImportOptions keep_integers(std::vector<OpenArray>& arrays, ImportOptions options,
                                          ImportRecord& record);

}  // namespace logpx
