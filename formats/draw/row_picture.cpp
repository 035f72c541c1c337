#include "formats/draw/row_picture.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/draw/scatter.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace logpx::draw {

namespace {

std::array<std::int64_t, 2> chosen(const DatasetInfo& info, std::span<const std::int64_t> columns) {
  const std::int64_t dims = info.dims();
  const bool numbers = !info.is_text();
  if (columns.empty() && numbers && dims == 2) return {0, 1};
  if (columns.empty())
    fail(ErrorKind::usage, "--output",
         "rows of " + std::to_string(dims) + " values are not points in the plane",
         "--dims 0,1 draws two of them; without -o the rows are printed");
  const auto inside = [&](std::int64_t column) { return column >= 0 && column < dims; };
  if (columns.size() != 2 || !std::all_of(columns.begin(), columns.end(), inside))
    fail(ErrorKind::usage, "--dims", "expected two numbers from 0 to " + std::to_string(dims - 1));
  return {columns[0], columns[1]};
}

}  // namespace

Picture sheet_of_rows(const DatasetInfo& info, const Rows& rows, SheetOptions options,
                      Labels labels) {
  const auto& shape = info.shape;  // [H, W, C]
  if (info.content != Content::image || shape.size() != 3 || (shape[2] != 1 && shape[2] != 3))
    fail(ErrorKind::data, info.name, "has no images of 1 or 3 channels");
  if (labels == Labels::shown) options.captions = class_names(info, rows);
  return contact_sheet({.pixels = rows.values<std::uint8_t>(),
                        .count = rows.count,
                        .height = static_cast<int>(shape[0]),
                        .width = static_cast<int>(shape[1]),
                        .channels = static_cast<int>(shape[2]),
                        .levels = static_cast<int>(info.levels)},
                       options);
}

Picture scatter_of_rows(const DatasetInfo& info, const Rows& rows,
                        std::span<const std::int64_t> columns, Labels labels) {
  const std::array<std::int64_t, 2> pair = chosen(info, columns);
  ScatterOptions options;
  const std::vector<std::string> names = column_names(info);
  options.axes = {names[static_cast<std::size_t>(pair[0])],
                  names[static_cast<std::size_t>(pair[1])]};
  if (labels == Labels::shown) options.classes = rows.y;
  return scatter(points_of(info, rows, pair), options);
}

}  // namespace logpx::draw
