// Rows of a dataset as text: letters for symbols with an alphabet, escapes for bytes, atoms and
// bonds of molecules, CSV for numbers and for columns of words. What pack-data reads back gives
// the same rows.
#pragma once

#include "libcore/data/dataset.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace logpx::draw {

// The names of the columns in the file, or x0, x1 ...
[[nodiscard]] std::vector<std::string> column_names(const DatasetInfo& info);
// The header of a table ("x0,x1,y,true_logp,row\n"), or nothing where rows are plain text.
[[nodiscard]] std::string row_header(const DatasetInfo& info);
// One line per row: a line feed inside a row is written \n, other control characters \xHH.
[[nodiscard]] std::string row_text(const DatasetInfo& info, const Rows& rows);
// The cells of x of a table's row, in the forms of their columns, not quoted.
[[nodiscard]] std::vector<std::string> row_cells(const DatasetInfo& info, const Rows& rows,
                                                 std::size_t row);

// The class of each row: "Ankle boot", or the number where classes have no names. Empty without
// labels.
[[nodiscard]] std::vector<std::string> class_names(const DatasetInfo& info, const Rows& rows);

// Two columns of x as points [N, 2]; NaN where a value is missing.
[[nodiscard]] std::vector<float> points_of(const DatasetInfo& info, const Rows& rows,
                                           std::array<std::int64_t, 2> columns);

}  // namespace logpx::draw
