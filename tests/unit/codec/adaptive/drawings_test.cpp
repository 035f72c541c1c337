#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace logpx::drawings_test {

using namespace logpx::codec::adaptive;

namespace {

using Values = std::vector<std::uint8_t>;

struct Drawing {
  Form form;
  Values pixels;
};

// Boxes of few colours on a ground, with an edge whose last sample (of RGBA how opaque it is) lies
// between.
Drawing boxes(Kind kind, std::uint32_t width, std::uint32_t height) {
  const std::uint32_t colours = kind == Kind::rgba ? 4 : 3, row = width * colours;
  Drawing drawing{{kind, row}, Values(row * height, 0)};
  Cursor random(Rng(11).stream(Stream::test, 519));
  for (int box = 0; box < 60; ++box) {
    const std::uint32_t left = random.below(width - 12), top = random.below(height - 9);
    std::uint8_t colour[4];
    for (std::uint8_t& sample : colour) sample = static_cast<std::uint8_t>(80 * random.below(4));
    for (std::uint32_t y = top; y < top + 9; ++y)
      for (std::uint32_t x = left; x < left + 12; ++x) {
        std::uint8_t* const pixel = &drawing.pixels[y * row + x * colours];
        std::copy_n(colour, colours, pixel);
        if (x == left || y == top)
          pixel[colours - 1] = static_cast<std::uint8_t>(90 + random.below(30));
      }
  }
  return drawing;
}

std::size_t there_and_back(const Values& data, const Form& form, Level level) {
  const std::vector<std::byte> coded = encode(data, form, level);
  CHECK(decode(coded, data.size(), form, level) == data);
  return coded.size();
}

Values only(std::size_t count, const Values& pixel) {
  Values all;
  while (all.size() < count) all.insert(all.end(), pixel.begin(), pixel.end());
  return all;
}

}  // namespace

TEST_CASE("adaptive: drawings take fewer bytes as such than as photographs or rows") {
  for (const Kind kind : {Kind::rgba, Kind::drawn_rgb})
    for (const Level level : {Level::normal, Level::best}) {
      const auto [form, pixels] = boxes(kind, 160, 120);
      const std::size_t as_drawing = there_and_back(pixels, form, level);
      CHECK(as_drawing < encode(pixels, {Kind::records, form.row}, level).size());
      if (kind == Kind::drawn_rgb)
        CHECK(as_drawing < encode(pixels, {Kind::rgb, form.row}, level).size());
    }
}

TEST_CASE("adaptive: pixels of one colour cost next to nothing, and one among them comes back") {
  for (const auto& [form, pixel] : {std::pair(Form{Kind::rgba, 320}, Values{250, 3, 77, 255}),
                                    std::pair(Form{Kind::drawn_rgb, 240}, Values{9, 200, 31})}) {
    Values page = only(60'000, pixel);
    CHECK(there_and_back(page, form, Level::normal) < 50);
    // One whose last sample alone is another is not equal.
    page[30 * form.row + 5 * pixel.size() - 1] ^= 1;
    CHECK(there_and_back(page, form, Level::normal) < 70);
  }
}

TEST_CASE("adaptive: a drawing may end within a pixel, or follow another one") {
  const auto [form, pixels] = boxes(Kind::rgba, 60, 40);
  for (const std::size_t cut : {1u, 2u, 3u, 100u})
    there_and_back({pixels.begin(), pixels.end() - static_cast<std::ptrdiff_t>(cut)}, form,
                   Level::normal);
  const Values flat = only(form.row * 3 + 2, {0, 0, 0, 0});
  there_and_back(flat, form, Level::normal);
  const std::vector<std::byte> coded = encode(pixels, form, {Level::normal, pixels});
  CHECK(coded.size() < 100);
  CHECK(decode(coded, pixels.size(), form, {Level::normal, pixels}) == pixels);
}

}  // namespace logpx::drawings_test
