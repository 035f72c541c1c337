// What datasets say of the columns of a table, whoever wrote them.
#include "formats/dataset_file.hpp"
#include "formats/draw/row_text.hpp"
#include "formats/file/output.hpp"
#include "formats/inspection.hpp"
#include "libcore/base/error.hpp"
#include "libcore/data/column_cells.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_datasets.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace logpx::table_columns_test {

using namespace logpx::testing;
using h5::Value;
using h5::ValueType;

namespace {

// The message with which a dataset is refused that has these as parts of /columns.
std::string opening_error(const std::vector<std::pair<const char*, Value>>& parts) {
  const ScratchFolder folder;
  TinyDataset data = tiny_table(3);
  data.info.column_forms.clear();
  data.info.id_columns.clear();
  OutputFile out(folder / "d.h5", Overwrite::replace);
  ArtifactWriter artifact(out, ArtifactKind::dataset);
  RowTableWriter table(artifact, data.info);
  table.append(data.rows);
  table.finish(data.info);
  for (const auto& [path, value] : parts) artifact.dataset(path, value);
  (void)artifact.finish(Json::object());
  out.commit();
  std::string message;
  try {
    const DatasetFile file(folder / "d.h5");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    message = error.what();
  }
  try {
    (void)describe_artifact(ArtifactFile(folder / "d.h5"));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
  }
  return message;
}

void says(const std::string& error, const char* words) {
  INFO(error);
  CHECK(error.find(words) != std::string::npos);
}

Value texts(const std::vector<std::string>& values) {
  return {ValueType::str, {std::ssize(values)}, {}, values};
}

const Value kinds = texts({"ordered", "date", "number", "word", "whole", "constant"}),
            forms = texts({"", "%Y-%m-%d", "", "", "", ""});

}  // namespace

TEST_CASE("table columns: parts of another type, shape or number are data errors") {
  CHECK(opening_error({{"/columns/kinds", kinds}, {"/columns/forms", forms}}).empty());
  says(opening_error({{"/columns/kinds", Value::of<double>(std::vector<double>(6), {6})}}),
       "/columns/kinds");
  says(opening_error({{"/columns/kinds", Value::text("number")}}), "kinds: is str of shape");
  says(opening_error({{"/columns/kinds", kinds},
                      {"/columns/origin", Value::of<double>(std::vector<double>(6), {2, 3})}}),
       "origin: is f64 of shape");
  says(opening_error({{"/columns/kinds", kinds},
                      {"/columns/step", Value::of<double>(std::vector<double>(5, 1), {5})}}),
       "step: has 5 entries, expected 6");
  says(opening_error({{"/columns/kinds", kinds}, {"/columns/decimals", texts({"1"})}}),
       "/columns/decimals");
  says(opening_error({{"/columns/kinds", texts({"ordered", "date", "odd", "word", "", ""})}}),
       "kinds: 'odd' is not a kind of column");
  says(opening_error({{"/columns/kinds", texts({})}, {"/columns/forms", forms}}), "kinds: has");
  says(opening_error({{"/columns/step", Value::of<double>(std::vector<double>(6, 1), {6})}}),
       "kinds: has number for a column of 3 words");
  says(opening_error({{"/columns/ids", Value::scalar(std::int64_t{3})}}), "/columns/ids");
}

TEST_CASE("table columns: dates have the decimals of seconds, none below 0") {
  for (const std::int64_t bad : {-1, 10, 17})
    for (const ColumnKind kind : {ColumnKind::date, ColumnKind::constant}) {
      const ColumnForm form{.kind = kind, .decimals = bad, .form = "%H:%M:%S"};
      CHECK_THROWS_WITH_AS(check_form(form), doctest::Contains("decimals: holds"), Error);
    }
}

TEST_CASE("table columns: whatever a float is, its cell is a text") {
  using Limits = std::numeric_limits<float>;
  const std::vector<double> origins = {0, -1e300, 1e300, 1e15}, steps = {1, 1e-300, 1e300};
  int cells = 0;
  for (const ColumnKind kind : {ColumnKind::number, ColumnKind::whole, ColumnKind::date})
    for (const double origin : origins)
      for (const double step : steps)
        for (const std::int64_t decimals : {-1, 0, 9, 17}) {
          const bool date = kind == ColumnKind::date;
          if (date && (decimals < 0 || decimals > 9)) continue;
          for (const char* form : {"", "thousands percent comma varied", "%Y-%m-%d", "%H:%M:%S",
                                   "%d %b %y %H:%M:%S"}) {
            if (date != (*form == '%')) continue;
            const ColumnForm column{kind, origin, step, decimals, form};
            check_form(column);
            for (const float x : {0.0F, -1.5F, Limits::max(), Limits::lowest(), Limits::min(),
                                  Limits::infinity(), Limits::quiet_NaN()}) {
              CHECK(!number_cell(column, static_cast<double>(x)).empty());
              ++cells;
            }
          }
        }
  CHECK(cells > 1000);
}

}  // namespace logpx::table_columns_test
