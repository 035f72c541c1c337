// Where built-in data go: to a dataset, or as the rows of a table to a CSV file. Both write to the
// option --output.
#pragma once

#include "libcore/data/dataset.hpp"
#include "tools/frame/app.hpp"

namespace logpx {

// `info` is the source's, with the splits that were asked for. Warns about splits without some of
// the classes.
[[nodiscard]] FileRecord write_made_dataset(App& app, RowSource& source, const DatasetInfo& info);

// The rows, in front of them their names where the table has such a column. What is known of made
// rows alone, such as their true log p, stays with the dataset.
[[nodiscard]] FileRecord write_made_rows(App& app, RowSource& source, DatasetInfo info);

}  // namespace logpx
