// Rows of a dataset as a picture: images on a sheet, numbers as points of the plane.
#pragma once

#include "formats/draw/contact_sheet.hpp"
#include "formats/draw/picture.hpp"
#include "libcore/data/dataset.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace logpx::draw {

// Points of the plane as a picture: a square box with axes, equal scales, and ink that darkens with
// the density of the points, so that ten points and a million both show their shape.
struct ScatterOptions {
  int size = 720;  // pixels across and down
  std::array<std::string, 2> axes = {"x0", "x1"};
  std::span<const std::int32_t> classes{};  // colours the points; empty: one colour
};

// points [N, 2]; those with a coordinate that is not finite are left out. It is a data error when
// none is left.
[[nodiscard]] Picture scatter(std::span<const float> points, const ScatterOptions& options);

enum class Labels { hidden, shown };

// A data error unless images have 1 or 3 channels. Labels become captions.
[[nodiscard]] Picture sheet_of_rows(const DatasetInfo& info, const Rows& rows, SheetOptions options,
                                    Labels labels);

// `columns` names two columns of x; none: the rows have just two. Labels become colours.
[[nodiscard]] Picture scatter_of_rows(const DatasetInfo& info, const Rows& rows,
                                      std::span<const std::int64_t> columns, Labels labels);

}  // namespace logpx::draw
