// Expectations of x as rows of a file: pictures in 256 grey levels, anything else as real vectors.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// Of samples, the facts of a dataset and the columns beside x left out, but for their lengths.
[[nodiscard]] DatasetInfo row_info(const DatasetInfo& samples);

// What the means of such samples are stored as.
[[nodiscard]] DatasetInfo mean_info(const DatasetInfo& samples);
// Means, in order and units of the samples: whole rows of mean_info(samples) behind the others.
void append_means(const DatasetInfo& samples, std::span<const float> means, Rows& rows);

}  // namespace logpx
