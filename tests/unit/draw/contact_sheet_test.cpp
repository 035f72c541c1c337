#include "formats/draw/contact_sheet.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace logpx::contact_sheet_test {

using namespace logpx::draw;

namespace {

ImageStack stack(const std::vector<std::uint8_t>& pixels, std::int64_t count, int side) {
  return {.pixels = pixels, .count = count, .height = side, .width = side};
}

SheetLayout layout_of(std::int64_t count, const SheetOptions& options = {}) {
  return lay_out({.count = count, .height = 28, .width = 28}, options);
}

}  // namespace

TEST_CASE("sheet: every image has a cell, and few cells stay empty") {
  for (std::int64_t count = 1; count <= 300; ++count) {
    const SheetLayout layout = layout_of(count);
    CHECK(std::int64_t{layout.columns} * layout.rows >= count);
    CHECK(std::int64_t{layout.columns} * (layout.rows - 1) < count);
    CHECK((layout.columns - 1) * (layout.columns - 1) < 1.5 * static_cast<double>(count));
    CHECK(layout.rows <= layout.columns);
  }
  CHECK(layout_of(64).columns == 8);
  CHECK(layout_of(64).rows == 8);
}

TEST_CASE("sheet: one given side of the grid decides the other") {
  CHECK(layout_of(10, {.columns = 4}).rows == 3);
  CHECK(layout_of(10, {.rows = 4}).columns == 3);
}

TEST_CASE("sheet: images stand in reading order, enlarged by whole pixels") {
  const std::vector<std::uint8_t> pixels = {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42};
  const Picture sheet = contact_sheet(stack(pixels, 3, 2), {.columns = 2, .scale = 3, .gap = 1});
  CHECK(sheet.width() == 2 * 6 + 3);
  CHECK(sheet.height() == 2 * 6 + 3);
  for (int i = 0; i < 3; ++i)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 6; ++x) {
        const auto pixel = static_cast<std::size_t>(i * 4 + y / 3 * 2 + x / 3);
        CHECK(sheet.at(1 + i % 2 * 7 + x, 1 + i / 2 * 7 + y).green == pixels[pixel]);
      }
}

TEST_CASE("sheet: images beyond the grid are left out") {
  const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 5};
  const Picture sheet =
      contact_sheet(stack(pixels, 5, 1), {.columns = 2, .rows = 1, .scale = 1, .gap = 0});
  CHECK(sheet.pixels() == std::vector<std::uint8_t>{1, 2});
}

TEST_CASE("sheet: the levels are spread from black to white, and can be inverted") {
  const std::vector<std::uint8_t> pixels = {0, 1, 2, 3};
  ImageStack images = stack(pixels, 1, 2);
  images.levels = 4;
  CHECK(contact_sheet(images, {.scale = 1, .gap = 0}).pixels() ==
        std::vector<std::uint8_t>{0, 85, 170, 255});
  CHECK(contact_sheet(images, {.scale = 1, .gap = 0, .tone = Tone::inverted}).pixels() ==
        std::vector<std::uint8_t>{255, 170, 85, 0});
}

TEST_CASE("sheet: colours keep their channels") {
  const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 5, 6};
  const ImageStack images = {.pixels = pixels, .count = 2, .height = 1, .width = 1, .channels = 3};
  CHECK(contact_sheet(images, {.columns = 2, .scale = 1, .gap = 0}).pixels() == pixels);
}

TEST_CASE("sheet: captions lie below their images and change no pixel of them") {
  const std::vector<std::uint8_t> pixels(2 * 20 * 20, 7);
  const SheetOptions plain = {.columns = 2, .scale = 1};
  SheetOptions named = plain;
  named.captions = {"7", "a caption much wider than its cell"};
  const ImageStack images = stack(pixels, 2, 20);
  const SheetLayout layout = lay_out(images, named);
  CHECK(layout.height() > lay_out(images, plain).height());
  const Picture sheet = contact_sheet(images, named), bare = contact_sheet(images, plain);
  int inked = 0;
  for (int y = 0; y < sheet.height(); ++y)
    for (int x = 0; x < sheet.width(); ++x) {
      if (y < bare.height() - layout.gap) CHECK(sheet.at(x, y) == bare.at(x, y));
      else inked += sheet.at(x, y).green == 255 ? 1 : 0;
    }
  CHECK(inked > 10);
}

TEST_CASE("sheet: a picture too large for memory is a usage error that says what to do") {
  try {
    (void)layout_of(1'000'000'000);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.hint().find("--limit") != std::string::npos);
  }
}

}  // namespace logpx::contact_sheet_test
