// Rows of a dataset as a picture: images on a sheet, numbers as points of the plane.
#pragma once

#include "formats/draw/contact_sheet.hpp"
#include "formats/draw/picture.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <span>

namespace logpx::draw {

enum class Labels { hidden, shown };

// A data error unless images have 1 or 3 channels. Labels become captions.
[[nodiscard]] Picture sheet_of_rows(const DatasetInfo& info, const Rows& rows, SheetOptions options,
                                    Labels labels);

// `columns` names two columns of x; none: the rows have just two. Labels become colours.
[[nodiscard]] Picture scatter_of_rows(const DatasetInfo& info, const Rows& rows,
                                      std::span<const std::int64_t> columns, Labels labels);

}  // namespace logpx::draw
