// Mean and deviation of the columns of a table, and whether models should read it in them.
#pragma once

#include "libcore/data/dataset.hpp"

namespace logpx {

// Over these rows of real numbers; missing values do not count. Deviations are 0 where nothing
// varies, and words have mean 0 and deviation 1.
[[nodiscard]] Standardisation column_scale(const DatasetInfo& info, const Rows& rows);

// The columns whose mean lies beyond -3 and 3, or whose deviation is not between 1/3 and 3 and not
// 0 either: networks and their first weights are made for what lies within.
[[nodiscard]] std::vector<std::int64_t> columns_off_scale(const Standardisation& scale);

}  // namespace logpx
