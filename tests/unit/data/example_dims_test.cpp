#include "libcore/data/example_dims.hpp"

#include "libcore/base/index.hpp"
#include "tests/support/tiny_datasets.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace logpx::example_dims_test {
namespace {

using Dims = std::vector<std::int64_t>;

template <typename T>
Rows rows_of(std::vector<T> values, std::int64_t count, std::vector<std::int32_t> lengths = {}) {
  Rows rows;
  rows.count = count;
  rows.length = std::move(lengths);
  const auto bytes = std::as_bytes(std::span(values));
  rows.x.assign(bytes.begin(), bytes.end());
  return rows;
}

DatasetInfo info_of(Content content, Element element, std::int64_t dims) {
  DatasetInfo info;
  info.content = content;
  info.element = element;
  info.shape = {dims};
  return info;
}

}  // namespace

TEST_CASE("example dims: whole rows have all of them, and nothing is said of each") {
  const auto data = testing::tiny_images(3, 2, 2);
  CHECK(example_dims(data.info, data.rows).empty());
}

TEST_CASE("example dims: a row of symbols has those up to its length") {
  const DatasetInfo info = info_of(Content::symbols, Element::u8, 4);
  const Rows rows = rows_of<std::uint8_t>(std::vector<std::uint8_t>(12), 3, {4, 1, 3});
  CHECK(example_dims(info, rows) == Dims{4, 1, 3});
}

TEST_CASE("example dims: missing values are left out, of symbols and of reals") {
  DatasetInfo info = info_of(Content::symbols, Element::i16, 3);
  info.has_missing = true;
  CHECK(example_dims(info, rows_of<std::int16_t>({0, -1, 2, -1, -1, -1}, 2)) == Dims{2, 0});
  // A missing value after the end of a row is not counted twice.
  CHECK(example_dims(info, rows_of<std::int16_t>({0, -1, -1, 5, 5, -1}, 2, {2, 3})) == Dims{1, 2});
  info = info_of(Content::vector, Element::f32, 2);
  info.has_missing = true;
  const float lacks = std::numeric_limits<float>::quiet_NaN();
  CHECK(example_dims(info, rows_of<float>({1, lacks, 2, 3}, 2)) == Dims{1, 2});
}

TEST_CASE("example dims: a molecule of n atoms has n and their pairs, less what is unknown") {
  DatasetInfo info = info_of(Content::molecules, Element::u8, 4 + 6);
  CHECK(longest_example(info) == 4);
  std::vector<std::uint8_t> x(20, 255);
  CHECK(example_dims(info, rows_of(x, 2, {4, 1})) == Dims{10, 1});
  info.has_missing = true;
  x[0] = x[5] = 254;
  CHECK(example_dims(info, rows_of(x, 2, {4, 3})) == Dims{8, 6});
}

TEST_CASE("example dims: a row of tokens has their characters, up to its length") {
  DatasetInfo info = info_of(Content::symbols, Element::u16, 3);
  info.tokens = {"\ufffd", "\n", " the", "\u00e9t\u00e9"};
  const Rows rows = rows_of<std::uint16_t>({2, 3, 1, 3, 2, 0}, 2, {3, 1});
  CHECK(example_dims(info, rows) == Dims{8, 3});
}

}  // namespace logpx::example_dims_test
