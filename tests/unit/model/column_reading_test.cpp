#include "libcore/model/column_reading.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

namespace logpx::column_reading_test {
namespace {

struct Table {
  DatasetInfo info;
  Rows rows;
  [[nodiscard]] Examples examples() const { return {info, rows, 0}; }
};

Table table_of(const std::vector<float>& x, std::int64_t columns) {
  Table table;
  table.info.content = Content::vector;
  table.info.element = Element::f32;
  table.info.shape = {columns};
  table.info.column_names = {"year", "gram"};
  table.info.name = "t.h5";
  table.rows.count = std::ssize(x) / columns;
  const auto bytes = std::as_bytes(std::span(x));
  table.rows.x.assign(bytes.begin(), bytes.end());
  return table;
}

const std::vector<float> wild = {1990, 7, 2010, 7}, near = {-1, 1, 1, 2};

ColumnReading read(const Table& table, DataReading& reading, Squash mean = Squash::none) {
  return read_columns(reading, table.examples(), mean);
}

}  // namespace

TEST_CASE("columns: a table far from unit scale is read in deviations, which is said") {
  DataReading reading;
  const ColumnReading columns = read(table_of(wild, 2), reading);
  CHECK(columns.info.standardisation ==
        Standardisation{.mean = {2000, 7}, .deviation = {10, 1}});  // `gram` never changes
  CHECK(reading.standardise == true);
  CHECK(columns.note.find("the data are far from unit scale in year, gram: ") == 0);
  CHECK(columns.note.find("the deviation of gram, always the same, counts as 1") !=
        std::string::npos);
}

TEST_CASE("columns: a table near unit scale is read as it is, unless it is to be standardised") {
  DataReading open, asked;
  asked.standardise = true;
  CHECK(read(table_of(near, 2), open).info.standardisation.empty());
  CHECK_FALSE(open.standardise.has_value());
  CHECK(read(table_of(near, 2), asked).info.standardisation.mean == std::vector<double>{0, 1.5});
}

TEST_CASE("columns: means and deviations of the dataset come first, and none are read unasked") {
  Table packed = table_of(wild, 2);
  packed.info.standardisation = {.mean = {1, 2}, .deviation = {3, 4}};
  DataReading open, never;
  never.standardise = false;
  CHECK(read(packed, open).info.standardisation == packed.info.standardisation);
  CHECK(read(packed, never).info.standardisation.empty());
  CHECK(read(table_of(wild, 2), never).info.standardisation.empty());
}

TEST_CASE("columns: a mean that is kept in an interval reads them as they are") {
  DataReading reading;
  CHECK(read(table_of(wild, 2), reading, Squash::sigmoid).info.standardisation.empty());
  CHECK_FALSE(reading.standardise.has_value());
}

TEST_CASE("columns: deviations of what is no table of real numbers are a usage error") {
  Table levels = table_of(wild, 2);
  levels.info.levels = 4;
  DataReading reading;
  CHECK(read(levels, reading).info.standardisation.empty());
  reading.standardise = true;
  CHECK_THROWS_AS((void)read(levels, reading), Error);
}

}  // namespace logpx::column_reading_test
