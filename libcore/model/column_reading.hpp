// How a trainer reads columns of real numbers, pixels included: as they are, or standardised, less
// their mean and divided by their deviation. The model keeps both numbers, so that its log p, its
// samples and its answers are about the data as they are.
#pragma once

#include "libcore/model/data_reading.hpp"

#include <string>

namespace logpx {

// What a trainer says about data that it standardises.
inline constexpr const char* in_deviations =
    "each column is read less its mean and in its deviations, while log p and samples are of what "
    "is in the file";

struct ColumnReading {
  DatasetInfo info;       // the data as the model is to read them
  std::string note = {};  // for people, where that was decided here
};

// Where `reading` leaves it open, real numbers are standardised if a column is off scale
// (data/column_scale.hpp), unless they or their mean under the model lie in an interval; `reading`
// then says so. Means and deviations come from the dataset if it has them, else from these rows.
// A usage error if that is asked for and x has levels.
[[nodiscard]] ColumnReading read_columns(DataReading& reading, const TaskRows& rows, Squash mean);

}  // namespace logpx
