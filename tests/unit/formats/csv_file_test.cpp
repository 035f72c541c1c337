// CSV files as they are: cells as rows of a model, and filled again.
#include "formats/csv_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "tests/support/tiny_datasets.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace logpx::csv_file_test {

namespace {

CsvFile file_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return CsvFile("t.csv", std::vector<std::byte>(bytes.begin(), bytes.end()));
}

// "size" of words, "n" of three levels.
DatasetInfo model_info() {
  DatasetInfo info;
  info.content = Content::symbols;
  info.shape = {2};
  info.levels = 3;
  info.value_max = 2;
  info.column_names = {"size", "n"};
  const std::vector<std::string> words = {"a, b", "big"};
  info.column_words.add_column(words);
  info.column_words.add_column({});
  return info;
}

std::vector<int> values_of(const std::string& text) {
  const CsvFile file = file_of(text);
  const TableColumns columns(file, model_info());
  const auto x = columns.rows().values<std::int16_t>();
  return {x.begin(), x.end()};
}

std::string filled(const std::string& text, const std::string& with) {
  const CsvFile file = file_of(text);
  return TableColumns(file, model_info()).filled([&](std::int64_t, std::int64_t column) {
    return column == 0 ? with : std::string("1");
  });
}

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(values_of(text));
  } catch (const Error& error) {
    return error.subject() + ": " + error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("csv_file: columns are found by their names, and further ones are left alone") {
  CHECK(values_of("size,n\nbig,0\n\"a, b\",2\n") == std::vector<int>{1, 0, 0, 2});
  CHECK(values_of("id;n;size\r\n7;2;big\r\n\r\n8;;NA\r\n") == std::vector<int>{1, 2, -1, -1});
  const CsvFile file = file_of("id,n,size\n1,2,big\n");
  CHECK(TableColumns(file, model_info()).others() == 1);
}

TEST_CASE("csv_file: a column that may be absent is missing in every row") {
  const CsvFile file = file_of("id,n\nx,2\ny,0\n");
  CHECK_THROWS_AS(TableColumns(file, model_info()), Error);
  const TableColumns columns(file, model_info(), {"size"});
  const auto x = columns.rows().values<std::int16_t>();
  CHECK(std::vector<int>(x.begin(), x.end()) == std::vector<int>{-1, 2, -1, 0});
  CHECK(columns.others() == 1);
  CHECK(columns.names() == std::vector<std::string>{"id", "n"});
  CHECK(columns.cell(1, 0) == "y");
  CHECK(columns.filled([](std::int64_t, std::int64_t) { return "big"; }) == file.text());
}

TEST_CASE("csv_file: a table of numbers alone has no line of names") {
  DatasetInfo info = model_info();
  info.column_words = {};
  const CsvFile file = file_of("0,1\n,2\n");
  const TableColumns columns(file, info);
  CHECK(columns.rows().count == 2);
  CHECK(columns.filled([](std::int64_t, std::int64_t) { return "2"; }) == "0,1\n2,2\n");
}

TEST_CASE("csv_file: real columns take any number") {
  DatasetInfo info = model_info();
  info.content = Content::vector;
  info.element = Element::f32;
  info.levels = 0;
  info.column_words = {};
  const CsvFile file = file_of("n,size\n1.5,-2e3\n,nan\n");
  const TableColumns columns(file, info);
  const auto x = columns.rows().values<float>();
  CHECK(x[0] == -2000);
  CHECK(x[1] == 1.5F);
  CHECK(std::isnan(x[2]));
  CHECK(std::isnan(x[3]));
}

TEST_CASE("csv_file: cells are read in the form of their columns, and refused by it") {
  const testing::TinyDataset data = testing::tiny_table(1);
  const std::string names = "column1,size,born,price,job,account,unit\n";
  const CsvFile file = file_of("," + names.substr(8) +
                               "1,large,1960-01-04,\"1,234.5\",nurse,100000000000002,7.5\n"
                               "2,?,?,.,driver,?,8\n");
  const TableColumns columns(file, data.info);
  const auto x = columns.rows().values<float>();
  CHECK(std::vector<float>(x.begin(), x.begin() + 6) == std::vector<float>{2, 0, 1234.5F, 1, 1, 0});
  CHECK(x[6] == -2);  // "?" is no word of the column, and new to it
  for (const std::size_t hole : {7, 8, 10}) CHECK(std::isnan(x[hole]));
  CHECK(x[9] == -2);
  CHECK(x[11] == 0.5F);
  const auto refused = [&](const std::string& line) {
    const CsvFile wrong = file_of(names + line);
    try {
      (void)TableColumns(wrong, data.info);
    } catch (const Error& error) {
      return error.subject() + ": " + error.message() + '|' + error.hint();
    }
    return std::string();
  };
  CHECK(
      refused("1,small,1960-02-30,5,nurse,7,7.5\n") ==
      "t.csv:2: column born: '1960-02-30' is not a date of the form %Y-%m-%d|the model has learned "
      "from other cells; pack-data csv ... --type born=word makes data of such ones");
  CHECK(refused("1,small,1960-02-03,5,nurse,7.5,7.5\n")
            .starts_with("t.csv:2: column account: '7.5' is not a whole number|"));
}

TEST_CASE("csv_file: filling changes missing cells and nothing else") {
  CHECK(filled("size,n\n ,0\nbig, \n", "big") == "size,n\nbig,0\nbig,1\n");
  CHECK(filled("\xef\xbb\xbf"
               "x;size;n\r\n\"q\";\"\"; 2 \r\n'';NA;\r\n",
               "a, b") ==
        "\xef\xbb\xbf"
        "x;size;n\r\n\"q\";a, b; 2 \r\n'';a, b;1\r\n");
  CHECK(filled("size,n\n,1", "a, b") == "size,n\n\"a, b\",1");
  CHECK(filled("size,n\n,1\n", "say \"x\"") == "size,n\n\"say \"\"x\"\"\",1\n");
  CHECK(filled("size,n\n,1\n", "") == "size,n\n,1\n");
}

TEST_CASE("csv_file: what is no table of the model's is an error that names line and column") {
  CHECK(error_of("sise,n\nbig,1\n") ==
        "t.csv:1: has no column size, which the model reads (did you mean sise?)");
  CHECK(error_of("size,n\nbig,x\n") == "t.csv:2: column n: 'x' is not a number");
  CHECK(error_of("size,n\nbig\n") == "t.csv:2: 1 field, expected 2");
}

TEST_CASE("csv_file: a word or a number that is new is neither missing nor one that is known") {
  CHECK(values_of("size,n\nbug,0\nbig,3\nbig,-1\nbig,0.5\n,\n") ==
        std::vector<int>{-2, 0, 1, -2, 1, -2, 1, -2, -1, -1});
  const std::string text = "n,size\n\n7,bug\n";
  const CsvFile file = file_of(text);
  const TableColumns columns(file, model_info());
  CHECK(columns.line(0).number == 3);
  CHECK(columns.text(0, 0) == "bug");
  CHECK(columns.text(0, 1) == "7");
  CHECK(filled("size,n\nbug,\n,-1\n", "big") == "size,n\nbug,1\nbig,-1\n");
}

}  // namespace logpx::csv_file_test
