#include "formats/draw/row_text.hpp"

#include "tests/support/tiny_datasets.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace logpx::row_text_test {

using namespace logpx::draw;

namespace {

template <typename T>
Rows rows_of(std::int64_t count, const std::vector<T>& values) {
  Rows rows;
  rows.count = count;
  rows.x.resize(values.size() * sizeof(T));
  std::memcpy(rows.x.data(), values.data(), rows.x.size());
  return rows;
}

DatasetInfo info_of(Content content, Element element, std::int64_t width) {
  DatasetInfo info;
  info.content = content;
  info.element = element;
  info.shape = {width};
  return info;
}

}  // namespace

TEST_CASE("rows as text: symbols are letters of their alphabet") {
  DatasetInfo info = info_of(Content::symbols, Element::u8, 3);
  info.alphabet = {' ', 'a', 0xe9, 0x20ac, 0x1f600, '\n'};
  const Rows rows = rows_of<std::uint8_t>(2, {1, 0, 2, 3, 4, 5});
  CHECK(row_header(info).empty());
  CHECK(row_text(info, rows) == "a é\n€😀\\n\n");
}

TEST_CASE("rows as text: a short block ends where its length says") {
  DatasetInfo info = info_of(Content::symbols, Element::i16, 3);
  info.alphabet = {'a', 'b'};
  Rows rows = rows_of<std::int16_t>(2, {0, 1, 0, 1, -1, 0});
  rows.length = {3, 2};
  CHECK(row_text(info, rows) == "aba\nb?\n");
}

TEST_CASE("rows as text: bytes that cannot be printed are escaped, and each row is one line") {
  const DatasetInfo info = info_of(Content::bytes, Element::u8, 8);
  const Rows rows = rows_of<std::uint8_t>(1, {'A', '\n', '\t', '\\', 0, 127, 255, '~'});
  CHECK(row_text(info, rows) == "A\\n\\t\\\\\\x00\\x7f\\xff~\n");
}

TEST_CASE("rows as text: vectors are a table whose numbers read back the same") {
  DatasetInfo info = info_of(Content::vector, Element::f32, 2);
  info.has_labels = info.has_true_logp = true;
  Rows rows = rows_of<float>(2, {0.1f, -2.5e-8f, NAN, 3});
  rows.y = {4, 5};
  rows.true_logp = {-1.25, -2};
  CHECK(row_header(info) == "x0,x1,y,true_logp\n");
  const std::string text = row_text(info, rows);
  CHECK(text.substr(0, text.find('\n')) == "0.1,-2.5e-08,4,-1.25");
  CHECK(text.substr(text.find('\n') + 1) == ",3,5,-2\n");
}

TEST_CASE("rows as text: a table of words has its words again") {
  DatasetInfo info = info_of(Content::symbols, Element::i16, 3);
  info.levels = 9;
  info.column_names = {"kind", "legs", "colour"};
  info.column_words.add_column(std::vector<std::string>{"cat", "dog"});
  info.column_words.add_column({});
  info.column_words.add_column(std::vector<std::string>{"green, pale", "red"});
  const Rows rows = rows_of<std::int16_t>(2, {1, 4, 0, 0, -1, -1});
  CHECK(row_header(info) + row_text(info, rows) ==
        "kind,legs,colour\ndog,4,\"green, pale\"\ncat,,\n");
}

TEST_CASE("rows as text: whole numbers below zero, and values without a word, are numbers") {
  const DatasetInfo reals = info_of(Content::vector, Element::f32, 2);
  CHECK(row_text(reals, rows_of<float>(1, {-1, 7})) == "-1,7\n");
  DatasetInfo info = info_of(Content::symbols, Element::u8, 1);
  info.column_words.add_column(std::vector<std::string>{"cat"});
  CHECK(row_text(info, rows_of<std::uint8_t>(2, {0, 3})) == "cat\n3\n");
}

TEST_CASE("rows as text: classes have their names, or their numbers") {
  DatasetInfo info = info_of(Content::image, Element::u8, 1);
  info.label_names = {"bag", "boot"};
  Rows rows;
  rows.y = {1, 0, 7};
  CHECK(class_names(info, rows) == std::vector<std::string>{"boot", "bag", "7"});
}

TEST_CASE("rows as text: two columns are points, missing values are not finite") {
  const DatasetInfo info = info_of(Content::symbols, Element::i16, 3);
  const Rows rows = rows_of<std::int16_t>(2, {1, 2, 3, 4, 5, -1});
  const std::vector<float> points = points_of(info, rows, {2, 0});
  REQUIRE(points.size() == 4);
  CHECK(points[0] == 3);
  CHECK(points[1] == 1);
  CHECK(std::isnan(points[2]));
  CHECK(points[3] == 4);
}

TEST_CASE("row_text: cells are written as their columns write them") {
  const testing::TinyDataset data = testing::tiny_table(1);
  Rows rows;
  rows.count = 1;
  for (const float value : {2.0F, 0.4F, 1234.5F, NAN, 1.3F, 0.0F}) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    rows.x.insert(rows.x.end(), bytes.begin(), bytes.end());
  }
  CHECK(row_text(data.info, rows) == "large,1960-01-04,\"1,234.50\",,100000000000002,7.5\n");
}

}  // namespace logpx::row_text_test
