// How long an example is where rows end early or have missing values; bits per dimension are
// divided by it. It is a property of the data, the same for every model and method.
// [data/README 1.3]
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

// The largest /data/length that a row can have: in symbols; for molecules, in atoms.
[[nodiscard]] std::int64_t longest_example(const DatasetInfo& info);

// The observed dimensions of each row: up to its length, less the missing ones; for a molecule of n
// atoms n + n(n-1)/2, less what is unknown; for text in tokens its characters. Empty where every
// row has all info.dims().
[[nodiscard]] std::vector<std::int64_t> example_dims(const DatasetInfo& info, const Rows& rows);

}  // namespace logpx
