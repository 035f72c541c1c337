// Expectations of x as rows of a file: pictures in 256 grey levels, anything else as real vectors.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// The info of samples, without the facts of a dataset and the columns other than x and lengths.
[[nodiscard]] DatasetInfo row_info(const DatasetInfo& samples);

// The info of the rows that hold means of such samples.
[[nodiscard]] DatasetInfo mean_info(const DatasetInfo& samples);
// Appends means, in order and units of the samples, as whole rows of mean_info(samples).
void append_means(const DatasetInfo& samples, std::span<const float> means, Rows& rows);

}  // namespace logpx
