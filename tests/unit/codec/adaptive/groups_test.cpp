// Bytes of unlike files, and unlike parts of one, in groups of their own kinds.
#include "libcore/codec/adaptive/groups.hpp"

#include "libcore/base/rng.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::groups_test {

using namespace logpx::codec::adaptive;

namespace {

using Values = std::vector<std::uint8_t>;

Values prose(std::size_t count) {
  static constexpr const char* words[] = {"the ", "house ", "was ", "old ", "and ", "rain "};
  Cursor random(Rng(51).stream(Stream::test, 580));
  std::string text;
  while (text.size() < count) text += words[random.below(6)];
  return {text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Rows of 12 bytes: a number that grows, and noise.
Values table(std::size_t count) {
  Cursor random(Rng(51).stream(Stream::test, 581));
  Values data(count);
  for (std::size_t i = 0; i < count; ++i)
    data[i] = static_cast<std::uint8_t>(i % 12 == 0   ? i / 12
                                        : i % 12 == 1 ? i / 12 >> 8
                                        : i % 12 < 4  ? random.below(200)
                                                      : 130 + i % 12);
  return data;
}

Values joined(const std::vector<Values>& parts) {
  Values all;
  for (const Values& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<std::uint64_t> ends_of(const std::vector<Values>& parts) {
  std::vector<std::uint64_t> ends;
  for (const Values& part : parts) ends.push_back(part.size() + (ends.empty() ? 0 : ends.back()));
  return ends;
}

}  // namespace

TEST_CASE("groups: files of one kind go together, whatever lies between them") {
  const std::vector<Values> files = {prose(50000), table(60000), prose(40000), table(30000)};
  const Groups groups = find_groups(joined(files), ends_of(files));
  REQUIRE(groups.stretches.size() == 4);
  REQUIRE(groups.forms.size() == 2);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(groups.stretches[i].bytes == files[i].size());
    CHECK(groups.stretches[i].group == i % 2);
  }
  CHECK(groups.forms[0].front() == Form{});
  CHECK(groups.forms[1].front() != Form{});
}

TEST_CASE("groups: a long file is cut where it changes, at multiples of 64 KiB") {
  constexpr std::size_t unit = 1 << 16;
  const std::vector<Values> parts = {prose(2 * unit), table(3 * unit)};
  const Values file = joined(parts);
  const Groups groups = find_groups(file, std::vector<std::uint64_t>{file.size()});
  REQUIRE(groups.stretches.size() == 2);
  CHECK(groups.stretches[0].bytes == 2 * unit);
  CHECK(groups.stretches[1].bytes == 3 * unit);
  CHECK(groups.stretches[0].group != groups.stretches[1].group);
}

TEST_CASE("groups: a cut within rows is made where the row ends") {
  constexpr std::size_t unit = 1 << 16;
  const Values file = joined({table(2 * unit), prose(3 * unit)});
  const Groups groups = find_groups(file, std::vector<std::uint64_t>{file.size()});
  REQUIRE(groups.stretches.size() == 2);
  const std::size_t row = groups.forms[0].front().row, first = groups.stretches[0].bytes;
  REQUIRE(row % 12 == 0);
  CHECK(first % row == 0);
  CHECK(first - 2 * unit < row);
  CHECK(first + groups.stretches[1].bytes == file.size());
}

TEST_CASE(
    "groups: a picture whose lower half is light is one group: what follows a cut begins with a "
    "row") {
  constexpr std::size_t row = 1002, rows = 200;  // no cut lies between two rows
  Cursor random(Rng(51).stream(Stream::test, 582));
  Values columns(row), picture;
  for (std::size_t x = 0; x < row; ++x)
    columns[x] = static_cast<std::uint8_t>(x < 3 ? 30 * x : columns[x - 3] + random.below(13) - 6);
  for (std::size_t i = 0; i < row * rows; ++i)
    picture.push_back(static_cast<std::uint8_t>(columns[i % row] / 2 +
                                                (i / row < rows / 2 ? 0 : 120) + random.below(4)));
  const Groups groups = find_groups(picture, std::vector<std::uint64_t>{picture.size()});
  REQUIRE(groups.forms.size() == 1);
  CHECK(groups.forms[0].front().row == row);
}

TEST_CASE("groups: a part that says nothing of its form goes with the one behind it") {
  constexpr std::size_t unit = 1 << 16;
  const Values file = joined({Values(unit, 0), table(2 * unit)});
  const Groups groups = find_groups(file, std::vector<std::uint64_t>{file.size()});
  REQUIRE(groups.forms.size() == 1);
  CHECK(groups.forms[0].front().row % 12 == 0);
  CHECK(groups.stretches.front().bytes == file.size());
}

TEST_CASE("groups: hiss before a sound of three bytes a sample is read as that sound") {
  constexpr std::size_t unit = 1 << 16;
  Cursor random(Rng(51).stream(Stream::test, 583));
  Values file;
  for (int height = 0, step = 0; file.size() < 3 * unit;) {
    step += static_cast<int>(random.below(2001)) - 1000 - height / 500;
    height += step;
    const int sample = file.size() < unit ? static_cast<int>(random.below(9)) - 4 : height;
    for (const int shift : {0, 8, 16}) file.push_back(static_cast<std::uint8_t>(sample >> shift));
  }
  const Groups groups = find_groups(file, std::vector<std::uint64_t>{file.size()});
  REQUIRE(groups.forms.size() == 1);
  const Form& form = groups.forms[0].front();
  REQUIRE(form.kind == Kind::samples);
  CHECK(form.samples.bytes == 3);
  CHECK(form.samples.offset == 0);
}

TEST_CASE("groups: stretches are all of the data, and one kind is one group") {
  const Values text = prose(300'000);
  const Groups whole = find_groups(text, std::vector<std::uint64_t>{1000, 100'000, text.size()});
  REQUIRE(whole.stretches.size() == 1);
  CHECK(whole.stretches[0].bytes == text.size());
  CHECK(whole.forms.size() == 1);
  CHECK(find_groups({}, {}).stretches.empty());
}

TEST_CASE("groups: a part of which something is known has a group of its own") {
  const std::vector<Values> files = {prose(5000), table(6000), prose(4000)};
  const Form known{Kind::records, 12};
  const auto knows_tables = [&](std::span<const std::uint8_t> part) {
    return part[4] == 134 ? std::vector<Form>{known} : std::vector<Form>();
  };
  const Groups groups = find_groups(joined(files), ends_of(files), knows_tables);
  REQUIRE(groups.stretches.size() == 3);
  CHECK(groups.forms[groups.stretches[1].group] == std::vector<Form>{known});
  CHECK(groups.stretches[0].group == groups.stretches[2].group);
}

}  // namespace logpx::groups_test
