#include "formats/draw/png.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <cstdlib>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace logpx::png_test {

using namespace logpx::draw;

namespace {

using Bytes = std::vector<std::byte>;

std::uint32_t u32(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

struct Chunk {
  std::string type, content;
};

// Every chunk, its checksum verified.
std::vector<Chunk> chunks_of(const Bytes& png) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t length = u32(png, at);
    const auto* data = reinterpret_cast<const char*>(png.data() + at + 4);
    CHECK(crc32_z(0, reinterpret_cast<const Bytef*>(data), length + 4) ==
          u32(png, at + 8 + length));
    chunks.push_back({std::string(data, 4), std::string(data + 4, length)});
    at += length + 12;
  }
  return chunks;
}

int predict(int filter, int left, int up, int corner) {
  const int guess = left + up - corner;
  const int to_left = std::abs(guess - left), to_up = std::abs(guess - up),
            to_corner = std::abs(guess - corner);
  const int paeth =
      to_left <= to_up && to_left <= to_corner ? left : (to_up <= to_corner ? up : corner);
  const int predictions[] = {0, left, up, (left + up) / 2, paeth};
  return predictions[filter];
}

// The pixels of an 8-bit PNG, by the specification [RFC 2083 section 6].
std::vector<std::uint8_t> decode(const Bytes& png, std::size_t stride, std::size_t channels) {
  std::string packed;
  for (const Chunk& chunk : chunks_of(png))
    if (chunk.type == "IDAT") packed += chunk.content;
  const std::size_t height = u32(png, 20);
  std::vector<std::uint8_t> raw(height * (stride + 1)), pixels(height * stride);
  uLongf size = raw.size();
  REQUIRE(uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(packed.data()),
                     packed.size()) == Z_OK);
  REQUIRE(size == raw.size());
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < stride; ++x) {
      const auto at = [&](bool back, bool up) -> int {
        return (back && x < channels) || (up && y == 0)
                   ? 0
                   : pixels[(y - (up ? 1 : 0)) * stride + x - (back ? channels : 0)];
      };
      const int guess =
          predict(raw[y * (stride + 1)], at(true, false), at(false, true), at(true, true));
      pixels[y * stride + x] = static_cast<std::uint8_t>(raw[y * (stride + 1) + 1 + x] + guess);
    }
  return pixels;
}

Picture pattern(int width, int height, int channels) {
  Picture picture(width, height, channels);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      picture.set(x, y,
                  {static_cast<std::uint8_t>(x * 7), static_cast<std::uint8_t>(y * 5 + x * x),
                   static_cast<std::uint8_t>(x * y)});
  return picture;
}

}  // namespace

TEST_CASE("png: the pixels come back, grey and RGB, from 1x1 on") {
  for (const int channels : {1, 3})
    for (const auto& [width, height] : {std::pair{1, 1}, {17, 1}, {1, 9}, {130, 61}}) {
      const Picture picture = pattern(width, height, channels);
      const Bytes png = png_bytes(picture);
      CHECK(is_whole_png(png));
      CHECK(u32(png, 16) == static_cast<std::uint32_t>(width));
      CHECK(u32(png, 20) == static_cast<std::uint32_t>(height));
      CHECK(std::to_integer<int>(png[25]) == (channels == 3 ? 2 : 0));
      const auto stride = static_cast<std::size_t>(width * channels);
      CHECK(decode(png, stride, static_cast<std::size_t>(channels)) == picture.pixels());
    }
}

TEST_CASE("png: the same picture gives the same bytes") {
  CHECK(png_bytes(pattern(60, 40, 3)) == png_bytes(pattern(60, 40, 3)));
}

TEST_CASE("png: a text chunk goes behind the header and leaves the pixels alone") {
  const Picture picture = pattern(20, 10, 3);
  const Bytes described = with_png_text(png_bytes(picture), "Description", "elbo-eval m.h5 d.h5");
  const auto chunks = chunks_of(described);
  REQUIRE(chunks.size() >= 4);
  CHECK(chunks[0].type == "IHDR");
  CHECK(chunks[1].type == "tEXt");
  CHECK(chunks[1].content == std::string("Description\0elbo-eval m.h5 d.h5", 31));
  CHECK(decode(described, 60, 3) == picture.pixels());
}

TEST_CASE("png: bytes cut short are not whole") {
  const Bytes png = png_bytes(pattern(9, 9, 1));
  for (std::size_t size = 0; size < png.size(); ++size)
    CHECK_FALSE(is_whole_png(std::span(png).first(size)));
}

}  // namespace logpx::png_test
