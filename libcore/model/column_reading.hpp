// How a trainer reads the columns of real numbers, a pixel being one: as they are, or each less its
// mean and in its deviations. The model keeps both numbers, so that its log p, its samples and what
// it says of a row are of the data as they are.
#pragma once

#include "libcore/model/data_reading.hpp"

#include <string>

namespace logpx {

// What a trainer says of data that it reads so.
inline constexpr const char* in_deviations =
    "each column is read less its mean and in its deviations, while log p and samples are of what "
    "is in the file";

struct ColumnReading {
  DatasetInfo info;       // of the data as the model is to read them
  std::string note = {};  // for people, where that was decided here
};

// Where `reading` leaves it open, real numbers are read in deviations if a column is off scale
// (data/column_scale.hpp), unless they or their mean under the model lie in an interval; `reading`
// then says so. Means and deviations are those of the dataset if it has some, else those of these
// rows. A usage error where they are asked for and x has levels.
[[nodiscard]] ColumnReading read_columns(DataReading& reading, const Examples& rows, Squash mean);

}  // namespace logpx
