// Expectations of x as rows of a file: pictures in 256 grey levels, anything else as real vectors.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// What samples are, without the facts of a dataset and the columns other than x and lengths.
[[nodiscard]] DatasetInfo row_info(const DatasetInfo& samples);

// What the means of such samples are stored as.
[[nodiscard]] DatasetInfo mean_info(const DatasetInfo& samples);
// Means, in order and units of the samples: whole rows of mean_info(samples) after the others.
void append_means(const DatasetInfo& samples, std::span<const float> means, Rows& rows);

}  // namespace logpx
