#include "formats/draw/preview.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace logpx::preview_test {

using namespace logpx::draw;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("preview: a cell shows the upper pixel in front and the lower behind") {
  Picture picture(1, 2, 3);
  picture.set(0, 0, {1, 2, 3});
  picture.set(0, 1, {4, 5, 6});
  CHECK(half_blocks(picture, 80) == "\x1b[38;2;1;2;3m\x1b[48;2;4;5;6m\u2580\x1b[0m\n");
}

TEST_CASE("preview: an odd last line leaves the lower half to the terminal") {
  CHECK(half_blocks(Picture(1, 1, 1, {9, 9, 9}), 80) == "\x1b[38;2;9;9;9m\u2580\x1b[0m\n");
}

TEST_CASE("preview: a colour is named only where it changes") {
  const std::string text = half_blocks(Picture(50, 4, 3, {7, 8, 9}), 80);
  CHECK(count(text, "\u2580") == 100);
  CHECK(count(text, "38;2") == 2);
  CHECK(count(text, "48;2") == 2);
}

TEST_CASE("preview: a wide picture is averaged down to the columns there are") {
  Picture picture(6, 6, 1);
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 6; ++x) {
      const auto value = static_cast<std::uint8_t>(x * 40);
      picture.set(x, y, {value, value, value});
    }
  const Picture half = shrink_to_width(picture, 3);
  CHECK(half.width() == 3);
  CHECK(half.height() == 3);
  for (int x = 0; x < 3; ++x) CHECK(half.at(x, 1).green == 20 + x * 80);
  // 6 columns in 4: the first covers one and a half, (0 * 2 + 40) / 3.
  CHECK(shrink_to_width(picture, 4).at(0, 0).green == 13);
  CHECK(shrink_to_width(picture, 6).pixels() == picture.pixels());
}

}  // namespace logpx::preview_test
