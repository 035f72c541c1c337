#include "formats/import/raster.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>

namespace logpx::images_test {

using namespace logpx::testing;

namespace {

std::vector<Input> folder_input(const ScratchFolder& folder, const std::string& name) {
  std::vector<Input> inputs;
  inputs.emplace_back(folder / name);
  return inputs;
}

Raster gray(std::int64_t width, std::int64_t height, std::vector<std::uint8_t> pixels) {
  return {width, height, 1, std::move(pixels)};
}

}  // namespace

TEST_CASE("images: a folder is read in bytewise order of the relative path") {
  const ScratchFolder folder;
  for (const char* sub : {"d", "d/b", "d/a", "d/__MACOSX"})
    std::filesystem::create_directory(folder / sub);
  write_bytes(folder / "d/b/1.pgm", pgm(2, 1, bytes_of("34")));
  write_bytes(folder / "d/a/10.png", png(2, 1, 8, 0, bytes_of("12")));
  write_bytes(folder / "d/a/9.pgm.gz", gzip(pgm(2, 1, bytes_of("56"))));
  write_bytes(folder / "d/B.pgm", pgm(2, 1, bytes_of("00")));
  write_bytes(folder / "d/.DS_Store", bytes_of("x"));
  write_bytes(folder / "d/__MACOSX/1.pgm", bytes_of("x"));
  const Packed packed = pack("images", folder_input(folder, "d"));
  CHECK(text_of(packed.rows.x) == "00125634");
  CHECK(packed.info.shape == std::vector<std::int64_t>{1, 2, 1});
  CHECK(packed.record.notes.at(0) == "2 hidden files and __MACOSX folders skipped");
  REQUIRE(packed.record.sources.size() == 1);
  CHECK(packed.record.sources[0].files == 4);
}

TEST_CASE("images: PNG and PPM give the pixels that were written") {
  const Bytes8 pixels = ramp(4 * 3 * 3);
  CHECK(pack("images", png(4, 3, 8, 2, pixels)).rows.x == pixels);
  CHECK(pack("images", ppm(4, 3, pixels)).rows.x == pixels);
  CHECK(pack("images", ppm(4, 3, pixels)).info.shape == std::vector<std::int64_t>{3, 4, 3});
}

TEST_CASE("images: folders are classes with --labels-from dir") {
  const ScratchFolder folder;
  for (const char* sub : {"d", "d/cat", "d/ant"}) std::filesystem::create_directory(folder / sub);
  write_bytes(folder / "d/cat/1.pgm", pgm(1, 1, bytes_of("c")));
  write_bytes(folder / "d/ant/1.pgm", pgm(1, 1, bytes_of("a")));
  write_bytes(folder / "d/ant/2.pgm", pgm(1, 1, bytes_of("b")));
  ImportOptions options;
  options.labels_from = LabelsFrom::dir;
  const Packed packed = pack("images", folder_input(folder, "d"), options);
  CHECK(packed.rows.y == std::vector<std::int32_t>{0, 0, 1});
  CHECK(packed.info.label_names == std::vector<std::string>{"ant", "cat"});
  write_bytes(folder / "d/0.pgm", pgm(1, 1, bytes_of("z")));
  CHECK(error_of("images", folder_input(folder, "d"), options) ==
        "data|" + folder / "d/0.pgm" +
            ": is not in a folder that could be its class|leave out --labels-from dir");
}

TEST_CASE("images: PNM with one bit, other maxval and 16 bits") {
  Bytes8 bitmap = bytes_of("P4 10 2\n");
  append(bitmap, {std::byte{0b10100000}, std::byte{0b01000000}, std::byte{0xff}, std::byte{0xff}});
  const std::vector<int> bits = pack("images", bitmap).x();
  CHECK(bits ==
        std::vector<int>{0, 255, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(pack("images", pgm(3, 1, {std::byte{0}, std::byte{1}, std::byte{3}}, 3)).x() ==
        std::vector<int>{0, 85, 255});
  const Bytes8 wide = pgm(2, 1, bytes_of(std::string_view("\x12\x34\xff\x00", 4)), 65535);
  CHECK(error_of("images", wide) == "data|a: has 16 bits a channel|--to-8bit");
  ImportOptions options;
  options.to_8bit = true;
  CHECK(pack("images", wide, options).x() == std::vector<int>{0x12, 0xff});
  CHECK(pack("images", png(1, 1, 16, 0, bytes_of("\x12\x34")), options).x() ==
        std::vector<int>{0x12});
  CHECK(error_of("images", png(1, 1, 16, 0, bytes_of("\x12\x34"))) ==
        "data|a: has 16 bits a channel|--to-8bit");
  CHECK(error_of("images", pgm(3, 1, bytes_of("ab"))) == "data|a: needs 3 bytes of pixels, has 2|");
}

TEST_CASE("images: transparency is refused unless told what lies behind") {
  const Bytes8 file =
      png(2, 1, 8, 4, {std::byte{100}, std::byte{255}, std::byte{100}, std::byte{51}});
  CHECK(error_of("images", file) == "data|a: has transparency|--alpha drop, black or white");
  ImportOptions options;
  options.alpha = Alpha::drop;
  CHECK(pack("images", file, options).x() == std::vector<int>{100, 100});
  options.alpha = Alpha::black;
  CHECK(pack("images", file, options).x() == std::vector<int>{100, 20});
  options.alpha = Alpha::white;
  CHECK(pack("images", file, options).x() == std::vector<int>{100, 224});
}

TEST_CASE("images: grey is BT.601 in integers, and the first picture decides for mixtures") {
  ImportOptions options;
  options.gray = true;
  const Bytes8 colours = {std::byte{255}, std::byte{0},   std::byte{0},   std::byte{0},
                          std::byte{255}, std::byte{0},   std::byte{0},   std::byte{0},
                          std::byte{255}, std::byte{255}, std::byte{255}, std::byte{255}};
  CHECK(pack("images", ppm(4, 1, colours), options).x() == std::vector<int>{76, 150, 29, 255});
  std::vector<Input> inputs;
  inputs.emplace_back("a", ppm(1, 1, bytes_of("abc")));
  inputs.emplace_back("b", pgm(1, 1, bytes_of("d")));
  const Packed packed = pack("images", std::move(inputs));
  CHECK(text_of(packed.rows.x) == "abcddd");
  CHECK(packed.record.notes.at(0) == "1 grey pictures made RGB like the first");
}

TEST_CASE("images: tiles go from the top left row by row, the rest is counted") {
  Bytes8 pixels;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 4; ++x) pixels.push_back(static_cast<std::byte>(10 * y + x));
  ImportOptions options;
  options.tile = 2;
  const Packed packed = pack("images", pgm(4, 5, pixels), options);
  CHECK(packed.info.n == 4);
  CHECK(packed.x() == std::vector<int>{0, 1, 10, 11, 2, 3, 12, 13, 20, 21, 30, 31, 22, 23, 32, 33});
  CHECK(packed.record.notes.at(0) == "4 pixels at the edges are in no tile");
}

TEST_CASE("raster: an area average is the mean over the area, rounded half up") {
  const Raster small = area_average(gray(4, 2, {0, 1, 2, 3, 4, 5, 6, 8}), 2, 1);
  CHECK(small.pixels == std::vector<std::uint8_t>{3, 5});  // 2.5 and 4.75
  // 3 -> 2: every target pixel covers one and a half of the source.
  CHECK(area_average(gray(3, 1, {0, 90, 30}), 2, 1).pixels == std::vector<std::uint8_t>{30, 50});
  CHECK(area_average(gray(2, 1, {10, 20}), 4, 1).pixels ==
        std::vector<std::uint8_t>{10, 10, 20, 20});
  const Raster flat = area_average(gray(7, 5, std::vector<std::uint8_t>(35, 201)), 3, 4);
  CHECK(flat.pixels == std::vector<std::uint8_t>(12, 201));
}

TEST_CASE("raster: a centre crop keeps the proportions of the target") {
  const Rectangle face = centre_crop(gray(178, 218, {}), 64, 64);
  CHECK(face.width == 178);
  CHECK(face.height == 178);
  CHECK(face.x == 0);
  CHECK(face.y == 20);
  const Rectangle wide = centre_crop(gray(100, 30, {}), 2, 1);
  CHECK(wide.width == 60);
  CHECK(wide.x == 20);
}

TEST_CASE("images: --fit crop, pad and stretch make one size") {
  ImportOptions options;
  options.size = "2x2";
  const Bytes8 file = pgm(4, 2, bytes_of(std::string_view("\0\x08\x10\x18\0\x08\x10\x18", 8)));
  const auto fitted = [&](Fit fit) {
    options.fit = fit;
    return pack("images", file, options).x();
  };
  CHECK(fitted(Fit::crop) == std::vector<int>{8, 16, 8, 16});
  CHECK(fitted(Fit::stretch) == std::vector<int>{4, 20, 4, 20});
  CHECK(fitted(Fit::pad) == std::vector<int>{4, 20, 0, 0});
  options.fit = Fit::none;
  CHECK(error_of("images", file, options) == "data|a: is 4x2, --size is 2x2|--size 2x2 --fit crop");
  options.fit = Fit::reject;
  std::vector<Input> inputs;
  inputs.emplace_back("a", file);
  inputs.emplace_back("b", pgm(2, 2, ramp(4)));
  const Packed kept = pack("images", std::move(inputs), options);
  CHECK(kept.info.n == 1);
  CHECK(kept.record.left_out == std::vector<std::string>{"1 picture of another size"});
  CHECK(kept.record.warnings.at(0) == "left out: 1 picture of another size");
  options = {};
  options.crop = {1, 0, 2, 2};
  CHECK(pack("images", file, options).x() == std::vector<int>{8, 16, 8, 16});
  options.crop = {3, 0, 2, 2};
  CHECK(error_of("images", file, options) == "data|a: is 4x2, --crop reaches outside|");
}

TEST_CASE("images: --skip-bad leaves out what is no picture, never a picture of another size") {
  const auto inputs = [](std::size_t good) {
    std::vector<Input> files;
    files.emplace_back("0.pgm", pgm(3, 1, bytes_of("odd")));
    for (std::size_t i = 0; i < good; ++i) files.emplace_back("1.pgm", pgm(2, 1, bytes_of("ab")));
    files.emplace_back("readme", bytes_of("words"));
    files.emplace_back("2.pgm", pgm(2, 1, bytes_of("a")));
    return files;
  };
  ImportOptions options;
  options.skip_bad = true;
  const std::string wanted =
      "data|0.pgm: is 3x1 (1 of 7 pictures), 6 are 2x1 (the first is 1.pgm)|--size 2x1 --fit crop, "
      "or --size 2x1 --fit reject to leave the others out";
  CHECK(error_of("images", inputs(5), options) == wanted);
  options.size = "2x1";
  options.fit = Fit::reject;
  const Packed packed = pack("images", inputs(5), options);
  CHECK(packed.info.n == 5);
  CHECK(packed.info.has_source_rows);
  CHECK(packed.rows.source == std::vector<std::int64_t>{1, 2, 3, 4, 5});
  const std::vector<std::string> counts = {"2 files that are not pictures",
                                           "1 picture of another size"};
  CHECK(packed.record.left_out == counts);
  CHECK(packed.record.warnings ==
        std::vector<std::string>{"left out: " + counts[0], "left out: " + counts[1]});
  CHECK(left_out_words(packed.record) ==
        ", 2 files that are not pictures, 1 picture of another size left out");
}

TEST_CASE("images: --skip-bad is not about 16 bits or transparency") {
  ImportOptions options;
  options.skip_bad = true;
  CHECK(error_of("images", png(1, 1, 16, 0, bytes_of("ab")), options) ==
        "data|a: has 16 bits a channel|--to-8bit");
  CHECK(error_of("images", png(1, 1, 8, 4, bytes_of("ab")), options) ==
        "data|a: has transparency|--alpha drop, black or white");
}

TEST_CASE("images: of several sizes the rarest is named") {
  std::vector<Input> inputs;
  for (const int width : {1, 2, 2, 3, 3, 3})
    inputs.emplace_back(std::to_string(width),
                        pgm(width, 1, ramp(static_cast<std::size_t>(width))));
  CHECK(error_of("images", std::move(inputs)) ==
        "data|1: is 1x1 (1 of 6 pictures), 3 are 3x1 (the first is 3), 2 have other sizes|--size "
        "3x1 --fit crop, or --size 3x1 --fit reject to leave the others out");
}

}  // namespace logpx::images_test
