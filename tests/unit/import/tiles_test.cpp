// --size and --tile.
#include "formats/import/tiles.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

namespace logpx::tiles_test {

using namespace logpx::testing;

namespace {

ImportOptions cut_to(std::int64_t tile, const std::string& size = "") {
  ImportOptions options;
  options.tile = tile;
  options.size = size;
  return options;
}

Bytes8 counted(int count) {
  Bytes8 bytes;
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(i));
  return bytes;
}

// Two pictures of 5 x 7 and their labels.
Packed tiled(const ImportOptions& options) {
  return pack("idx", idx(8, {2, 5, 7}, counted(2 * 5 * 7)), options);
}

Bytes8 cifar_records(int count) {
  Bytes8 bytes;
  for (int i = 0; i < count; ++i) {
    bytes.push_back(static_cast<std::byte>(i));
    for (int k = 0; k < 3072; ++k) bytes.push_back(static_cast<std::byte>((k / 1024 + 1) * i));
  }
  return bytes;
}

}  // namespace

TEST_CASE(
    "tiles: pictures of idx are cut from the top left, row by row, and what is left is counted") {
  const Packed packed = tiled(cut_to(3));
  CHECK(packed.info.shape == std::vector<std::int64_t>{3, 3, 1});
  CHECK(packed.info.n == 4);
  CHECK(packed.rows.count == 4);
  const std::vector<int> x = packed.x();
  CHECK(std::vector<int>(x.begin(), x.begin() + 18) ==
        std::vector<int>{0, 1, 2, 7, 8, 9, 14, 15, 16, 3, 4, 5, 10, 11, 12, 17, 18, 19});
  CHECK(x[18] == 35);
  REQUIRE(packed.record.notes.size() == 1);
  CHECK(packed.record.notes[0] == "34 pixels at the edges are in no tile");
}

TEST_CASE("tiles: patches of CIFAR keep their colours and the label of their picture") {
  const Packed packed = pack("cifar10", cifar_records(3), cut_to(8));
  CHECK(packed.info.shape == std::vector<std::int64_t>{8, 8, 3});
  CHECK(packed.info.n == 48);
  CHECK(packed.rows.y[15] == 0);
  CHECK(packed.rows.y[16] == 1);
  const std::vector<int> x = packed.x();
  CHECK(std::vector<int>(x.end() - 3, x.end()) == std::vector<int>{2, 4, 6});
  CHECK(packed.record.notes.empty());
}

TEST_CASE("tiles: --size averages areas of the middle first") {
  const Packed smaller = pack("idx", idx(8, {1, 2, 6}, counted(12)), cut_to(0, "2x1"));
  CHECK(smaller.info.shape == std::vector<std::int64_t>{1, 2, 1});
  // Columns 1 to 4 are the middle of the right proportions: means of 1 2 7 8 and of 3 4 9 10.
  CHECK(smaller.x() == std::vector<int>{5, 7});
  const Packed both = pack("idx", idx(8, {1, 2, 6}, counted(12)), cut_to(1, "2x1"));
  CHECK(both.info.n == 2);
  CHECK(both.x() == smaller.x());
  const Packed colours = pack("cifar10", cifar_records(2), cut_to(0, "4x4"));
  CHECK(colours.info.shape == std::vector<std::int64_t>{4, 4, 3});
  CHECK(colours.info.n == 2);
  CHECK(colours.x().back() == 3);
}

TEST_CASE("tiles: folders of pictures are cut after --size, too") {
  std::vector<Input> inputs;
  inputs.emplace_back("a", png(4, 2, 8, 0, counted(8)));
  ImportOptions options = cut_to(1, "2x2");
  options.fit = Fit::crop;
  const Packed packed = pack("images", std::move(inputs), options);
  CHECK(packed.info.n == 4);
  CHECK(packed.x() == std::vector<int>{1, 2, 5, 6});
}

TEST_CASE("tiles: what cannot be cut is refused") {
  CHECK(error_of("idx", idx(8, {2, 5, 7}, counted(70)), cut_to(6)) ==
        "data|the pictures are 7x5, smaller than --tile 6|");
  CHECK(error_of("idx", idx(8, {2, 5, 7}, counted(70)), cut_to(0, "0x3")) ==
        "usage|--size: '0x3' is not WxH, such as 64x64|");
  CHECK(error_of("idx", idx(8, {5, 7}, counted(35)), cut_to(2)) ==
        "usage|--tile: is for pictures; these are vector|--shape H,W,C makes pictures of them");
  std::vector<Input> inputs;
  inputs.emplace_back("a", png(4, 2, 8, 0, counted(8)));
  CHECK(error_of("images", std::move(inputs), cut_to(3)) ==
        "data|a: no picture is as large as a tile of 3x3|");
}

}  // namespace logpx::tiles_test
