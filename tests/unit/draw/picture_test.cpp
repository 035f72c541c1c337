#include "formats/draw/picture.hpp"

#include <doctest/doctest.h>

#include <string>

namespace logpx::picture_test {

using namespace logpx::draw;

namespace {

// The picture as text: '#' where it is not paper (0).
std::string dots(const Picture& picture) {
  std::string text;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) text += picture.at(x, y) == Colour{} ? '.' : '#';
    text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("picture: a letter is drawn from its dots, at any scale") {
  Picture small(5, 7, 1);
  draw_text(small, 0, 0, "F", {.scale = 1, .colour = {255, 255, 255}});
  CHECK(dots(small) == "#####\n#....\n#....\n####.\n#....\n#....\n#....\n");
  Picture large(10, 14, 3);
  draw_text(large, 0, 0, "F", {.scale = 2, .colour = {9, 0, 0}});
  for (int y = 0; y < 14; ++y)
    for (int x = 0; x < 10; ++x)
      CHECK((large.at(x, y) == Colour{}) == (small.at(x / 2, y / 2) == Colour{}));
}

TEST_CASE("picture: a letter outside ASCII takes the room of one question mark") {
  CHECK(text_width("é", 1) == text_width("?", 1));
  Picture odd(12, 7, 1), expected(12, 7, 1);
  draw_text(odd, 0, 0, "éI", {.scale = 1, .colour = {1, 1, 1}});
  draw_text(expected, 0, 0, "?I", {.scale = 1, .colour = {1, 1, 1}});
  CHECK(dots(odd) == dots(expected));
}

TEST_CASE("picture: what lies outside is cut, on all four sides") {
  Picture picture(4, 3, 1);
  fill_box(picture, {-5, -5, 7, 7}, {1, 1, 1});
  fill_box(picture, {3, 2, 100, 100}, {1, 1, 1});
  CHECK(dots(picture) == "##..\n##..\n...#\n");
  draw_text(picture, -3, -3, "WWW", {.scale = 3, .colour = {1, 1, 1}});
}

TEST_CASE("picture: text is as wide as its letters with the spaces between them") {
  CHECK(text_width("", 3) == 0);
  CHECK(text_width("A", 2) == 10);
  CHECK(text_width("AB", 1) == 11);
}

}  // namespace logpx::picture_test
