#include "libcore/data/ycocg.hpp"

#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace logpx::ycocg_test {

TEST_CASE("golden/pc/ycocg: every colour and its numbers") {
  const Json* entry = golden::field("pc", "ycocg");
  if (!entry) return;
  for (const Json& pixel : entry->at("pixels").items()) {
    const auto whole = [&](const char* key, std::size_t i) {
      return static_cast<std::int32_t>(pixel.at(key).at(i).integer());
    };
    Rgb rgb{};
    for (std::size_t c = 0; c < 3; ++c) rgb[c] = static_cast<std::uint8_t>(whole("rgb", c));
    const YCoCg colour = to_ycocg(rgb);
    CHECK(colour == YCoCg{whole("ycocg_r", 0), whole("ycocg_r", 1), whole("ycocg_r", 2)});
    CHECK(colour.y == whole("symbols_offset", 0));
    CHECK(colour.co + 256 == whole("symbols_offset", 1));
    CHECK(colour.cg + 256 == whole("symbols_offset", 2));
    CHECK(rgb_of(colour) == rgb);
    const std::array<double, 3> lossy = lossy_ycocg(rgb);
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(lossy[c] == doctest::Approx(pixel.at("lossy_float").at(c).number()).epsilon(1e-10));
      CHECK(quantised(lossy[c]) == whole("lossy_quantised", c));
    }
  }
}

TEST_CASE("golden/pc/ycocg: the ranges of all 2^24 colours, and no two give the same") {
  const Json* entry = golden::field("pc", "ycocg");
  if (!entry) return;
  YCoCg low, high;
  std::int64_t back = 0;
  for (std::uint32_t colour = 0; colour < 1u << 24; ++colour) {
    const Rgb rgb = {static_cast<std::uint8_t>(colour >> 16),
                     static_cast<std::uint8_t>(colour >> 8), static_cast<std::uint8_t>(colour)};
    const YCoCg made = to_ycocg(rgb);
    low = {std::min(low.y, made.y), std::min(low.co, made.co), std::min(low.cg, made.cg)};
    high = {std::max(high.y, made.y), std::max(high.co, made.co), std::max(high.cg, made.cg)};
    back += rgb_of(made) == rgb ? 1 : 0;
  }
  const Json& ranges = entry->at("ranges");
  const auto is_range = [&](const char* key, std::int32_t least, std::int32_t most) {
    CHECK(ranges.at(key).at(0).integer() == least);
    CHECK(ranges.at(key).at(1).integer() == most);
  };
  is_range("Y", low.y, high.y);
  is_range("Co", low.co, high.co);
  is_range("Cg", low.cg, high.cg);
  CHECK(back == 1 << 24);  // so every colour comes back
}

TEST_CASE("ycocg: numbers that no bytes give have no colour") {
  CHECK_FALSE(rgb_of({255, 255, 255}).has_value());
  CHECK_FALSE(rgb_of({0, 1, 255}).has_value());
  CHECK_FALSE(rgb_of({0, -255, 0}).has_value());
  // Exactly as many triples of symbols have a colour as there are colours.
  std::int64_t with_colour = 0;
  for (std::int32_t y = 0; y < 256; ++y)
    for (std::int32_t co = -255; co < 256; ++co)
      for (std::int32_t cg = -255; cg < 256; ++cg)
        if (const auto rgb = rgb_of({y, co, cg})) {
          ++with_colour;
          if (to_ycocg(*rgb) != YCoCg{y, co, cg}) FAIL("another colour");
        }
  CHECK(with_colour == 1 << 24);
}

TEST_CASE("ycocg: a patch is three planes of symbols, and comes back") {
  const PictureSymbols patch({2, 1, 3}, 256, Transform::ycocg_r);
  CHECK(patch.size() == 6);
  CHECK(patch.levels(1) == 256);
  CHECK(patch.levels(2) == 511);
  CHECK(patch.levels(5) == 511);
  const std::vector<std::uint8_t> item = {255, 0, 255, 1, 0, 0};
  std::vector<std::uint32_t> symbols(6);
  patch.from_item(item, symbols);
  CHECK(symbols == std::vector<std::uint32_t>{127, 0, 255, 256, 0, 255});
  std::vector<std::uint8_t> again(6);
  CHECK(patch.to_item(symbols, again));
  CHECK(again == item);
  for (const std::uint32_t strange : {511u, 509u, 0xffffffffu}) {
    std::vector<std::uint32_t> other = symbols;
    other[3] = strange;
    CHECK_FALSE(patch.to_item(other, again));
  }
}

TEST_CASE("ycocg: without a transform a picture's channels lie one after the other") {
  const PictureSymbols plain({1, 2, 2}, 10, Transform::none);
  std::vector<std::uint32_t> symbols(4);
  plain.from_item(std::vector<std::uint8_t>{1, 2, 3, 4}, symbols);
  CHECK(symbols == std::vector<std::uint32_t>{1, 3, 2, 4});
  std::vector<std::uint8_t> again(4);
  CHECK(plain.to_item(symbols, again));
  CHECK(again == std::vector<std::uint8_t>{1, 2, 3, 4});
  symbols[2] = 10;
  CHECK_FALSE(plain.to_item(symbols, again));
}

TEST_CASE("ycocg: planes of corner colours come back, and missing pixels stay missing") {
  std::vector<std::int32_t> planes(3 * 9, -1);
  for (std::size_t corner = 0; corner < 8; ++corner)
    for (std::size_t c = 0; c < 3; ++c) planes[c * 9 + corner] = (corner >> c & 1) != 0 ? 255 : 0;
  const std::vector<std::int32_t> rgb = planes;
  REQUIRE(planes_to_ycocg(std::span(planes), Transform::ycocg_r));
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const auto byte = [&](std::size_t c) { return static_cast<std::uint8_t>(rgb[c * 9 + corner]); };
    const YCoCg colour = to_ycocg({byte(0), byte(1), byte(2)});
    CHECK(planes[corner] == colour.y);
    CHECK(planes[9 + corner] == colour.co + 255);
    CHECK(planes[18 + corner] == colour.cg + 255);
  }
  for (std::size_t c = 0; c < 3; ++c) CHECK(planes[c * 9 + 8] == -1);
  planes_to_rgb(std::span(planes), Transform::ycocg_r);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t corner = 0; corner < 8; ++corner)
      CHECK(planes[c * 9 + corner] == rgb[c * 9 + corner]);
}

TEST_CASE("ycocg: a pixel with some of its values is none, nor is one that holds no bytes") {
  std::vector<float> part = {-1, 20, 30}, large = {1, 2, 256}, broken = {1, 2.5F, 3};
  CHECK(!planes_to_ycocg(std::span(part), Transform::ycocg_r));
  CHECK(!planes_to_ycocg(std::span(large), Transform::ycocg_r));
  CHECK(!planes_to_ycocg(std::span(broken), Transform::ycocg_r));
}

TEST_CASE("ycocg: what is no colour becomes the nearest") {
  std::vector<std::int32_t> no_colour = {255, 510, 510};  // R 256, G 383, B 1
  planes_to_rgb(std::span(no_colour), Transform::ycocg_r);
  CHECK(!rgb_of({255, 255, 255}));
  CHECK(no_colour == std::vector<std::int32_t>{255, 255, 1});
}

TEST_CASE("ycocg: levels with loss come back as nearly the same colour") {
  const PictureSymbols symbols({1, 1, 3}, 256, Transform::ycocg_lossy);
  CHECK(symbols.levels(0) == 256);
  CHECK(symbols.levels(2) == 256);
  for (std::int32_t colour = 0; colour < 1 << 24; colour += 4099) {
    const std::vector<std::int32_t> rgb = {colour >> 16, colour >> 8 & 255, colour & 255};
    std::vector<std::int32_t> planes = rgb;
    REQUIRE(planes_to_ycocg(std::span(planes), Transform::ycocg_lossy));
    std::vector<std::uint32_t> levels(3);
    symbols.from_item(std::vector<std::uint8_t>(rgb.begin(), rgb.end()), levels);
    CHECK(std::vector<std::uint32_t>(planes.begin(), planes.end()) == levels);
    planes_to_rgb(std::span(planes), Transform::ycocg_lossy);
    for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(planes[c] - rgb[c]) <= 3);
  }
}

}  // namespace logpx::ycocg_test
