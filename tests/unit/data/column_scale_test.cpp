#include "libcore/data/column_scale.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace logpx::column_scale_test {
namespace {

constexpr float lacks = std::numeric_limits<float>::quiet_NaN();

DatasetInfo table_of(std::int64_t columns) {
  DatasetInfo info;
  info.content = Content::vector;
  info.element = Element::f32;
  info.shape = {columns};
  return info;
}

Rows rows_of(const std::vector<float>& x, std::int64_t columns) {
  Rows rows;
  rows.count = std::ssize(x) / columns;
  const auto bytes = std::as_bytes(std::span(x));
  rows.x.assign(bytes.begin(), bytes.end());
  return rows;
}

// The scale of rows that come in two parts.
Standardisation scale_of(const DatasetInfo& info, const std::vector<float>& x) {
  const Rows rows = rows_of(x, info.dims());
  ColumnMoments moments(info);
  moments.add(slice_rows(rows, 0, 1));
  moments.add(slice_rows(rows, 1, rows.count));
  return moments.scale();
}

}  // namespace

TEST_CASE("column scale: mean and deviation are those of each column") {
  const Standardisation scale = scale_of(table_of(2), {1, 7, 3, 7, 5, 7, 7, 7});
  CHECK(scale.mean == std::vector<double>{4, 7});
  CHECK(scale.deviation[0] == doctest::Approx(std::sqrt(5.0)));
  CHECK(scale.deviation[1] == 0);
}

TEST_CASE("column scale: missing values do not count, and words keep their numbers") {
  DatasetInfo info = table_of(2);
  info.has_missing = true;
  info.column_words = {.words = {"cat", "dog"}, .counts = {0, 2}};
  const Standardisation scale = scale_of(info, {10, 1, lacks, 0, 30, 1});
  CHECK(scale.mean == std::vector<double>{20, 0});
  CHECK(scale.deviation == std::vector<double>{10, 1});
}

TEST_CASE(
    "column scale: columns are off scale beyond 3, or wider than 3 or narrower than a third") {
  const Standardisation scale = {.mean = {3, -3.1, 0, 0, 3, 0.5, 4},
                                 .deviation = {1, 1, 3.1, 0.3, 0, 3, 0}};
  CHECK(columns_off_scale(scale) == std::vector<std::int64_t>{1, 2, 3, 6});
}

}  // namespace logpx::column_scale_test
