#include "libcore/data/known.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace logpx::known_test {
namespace {

DatasetInfo pictures() {
  DatasetInfo info;
  info.content = Content::image;
  info.shape = {3, 4, 2};
  info.levels = 256;
  return info;
}

std::vector<std::uint8_t> places(const char* text, const DatasetInfo& info = pictures()) {
  return known_places(parse_known(text), info);
}

std::string refusal(const char* text, const DatasetInfo& info = pictures()) {
  try {
    static_cast<void>(places(text, info));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.subject() == "--known");
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("known: rows and columns of pictures, both ends included") {
  const auto top = places("rows:0-1");
  CHECK(std::ranges::count(top, 1) == 16);
  CHECK(std::all_of(top.begin(), top.begin() + 16, [](int known) { return known == 1; }));
  const auto middle = places("cols:1-2");
  for (std::size_t i = 0; i < 24; ++i) {
    const std::size_t column = i / 2 % 4;
    CHECK(middle[i] == (column == 1 || column == 2 ? 1 : 0));
  }
  CHECK(std::ranges::count(places("rows:2"), 1) == 8);
}

TEST_CASE("known: every K-th place of any row") {
  DatasetInfo table;
  table.content = Content::vector;
  table.shape = {5};
  CHECK(places("every:2", table) == std::vector<std::uint8_t>{1, 0, 1, 0, 1});
  CHECK(refusal("rows:0-1", table) ==
        "rows and columns need pictures, and these data are not pictures");
}

TEST_CASE("known: what is no rule is a file, and wrong rules are usage errors") {
  CHECK(parse_known("mask.npy").kind == KnownPart::Kind::file);
  CHECK(parse_known("mask.npy").file == "mask.npy");
  CHECK(refusal("rows:2-1").starts_with("'rows:2-1' is not A-B"));
  CHECK(refusal("cols:0-4") == "names column 4, and the data have columns 0 to 3");
  CHECK(refusal("rows:99999999999-99999999999").starts_with("names row 99999999999"));
  CHECK(refusal("every:0").starts_with("'every:0' is not every:K"));
  CHECK(refusal("").starts_with("'' is not rows:A-B"));
}

TEST_CASE("known: a mask has the data's size, and zeros and ones only") {
  DatasetInfo table;
  table.content = Content::vector;
  table.shape = {3};
  const std::vector<float> mask = {1, 0, 1}, wrong = {1, 0.5F, 1}, few = {1, 0};
  CHECK(known_places(mask, table, "m.npy") == std::vector<std::uint8_t>{1, 0, 1});
  CHECK_THROWS_AS(static_cast<void>(known_places(wrong, table, "m.npy")), Error);
  CHECK_THROWS_AS(static_cast<void>(known_places(few, table, "m.npy")), Error);
}

TEST_CASE("known: columns of a table, by their names") {
  const std::vector<std::string> names = {"age", "a,b", "job"};
  CHECK(known_columns("job,age", names) == std::vector<std::uint8_t>{1, 0, 1});
  CHECK(known_columns(R"("a,b")", names) == std::vector<std::uint8_t>{0, 1, 0});
  CHECK_FALSE(known_columns("mask.csv", names));
  CHECK_THROWS_WITH_AS(static_cast<void>(known_columns("job,aeg", names)),
                       "--known: there is no column 'aeg' (did you mean age?)", Error);
}

}  // namespace logpx::known_test
