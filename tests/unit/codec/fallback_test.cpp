#include "libcore/codec/fallback.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::fallback_test {

using namespace logpx::codec;

namespace {

std::vector<std::uint8_t> random_bytes(std::size_t count, std::uint32_t below) {
  Cursor random(Rng(7).stream(Stream::test, 500));
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(below));
  return bytes;
}

std::size_t coded_bytes(const std::vector<std::uint8_t>& data, const FallbackForm& form,
                        int lanes) {
  Message message(lanes);
  push_fallback(message, data, form);
  CHECK(message.borrowed() == 0);
  const std::vector<std::byte> bytes = message.serialise();
  Message read = Message::parse(bytes, lanes);
  CHECK(pop_fallback(read, data.size(), form) == data);
  read.check_end(0);
  return bytes.size();
}

// Two rasters with a smooth ramp in each channel.
std::vector<std::uint8_t> ramps(const FallbackForm& form) {
  std::vector<std::uint8_t> data;
  for (int raster = 0; raster < 2; ++raster)
    for (std::int64_t y = 0; y < form.height; ++y)
      for (std::int64_t x = 0; x < form.width; ++x)
        for (std::int64_t c = 0; c < form.channels; ++c)
          data.push_back(static_cast<std::uint8_t>(250 + 3 * x + 2 * y + 40 * c + 9 * raster));
  return data;
}

}  // namespace

TEST_CASE("fallback: every form gives random data back, at any length and with any lanes") {
  for (const std::size_t size : {0u, 1u, 2u, 77u, 1000u})
    for (const int lanes : {1, 2, 4, 8}) {
      coded_bytes(random_bytes(size, 256), {}, lanes);
      coded_bytes(random_bytes(size, 256), fallback_form(7, 5, 3, 256), lanes);
      coded_bytes(random_bytes(size, 2), fallback_form(7, 5, 1, 2), lanes);
      coded_bytes(random_bytes(size, 2), fallback_form(7, 5, 2, 2), lanes);
    }
}

TEST_CASE("fallback: random bytes grow by little, repeated bytes nearly vanish") {
  CHECK(coded_bytes(random_bytes(100'000, 256), {}, 1) < 106'000);
  CHECK(coded_bytes(std::vector<std::uint8_t>(100'000, 'a'), {}, 1) < 700);
}

TEST_CASE("fallback: smooth rasters code smaller as images, line art smaller as binary") {
  const FallbackForm image = fallback_form(40, 30, 3, 256);
  CHECK(image.kind == FallbackKind::image);
  const auto smooth = ramps(image);
  CHECK(4 * coded_bytes(smooth, image, 1) < coded_bytes(smooth, {}, 1));

  const FallbackForm binary = fallback_form(28, 28, 1, 2);
  CHECK(binary.kind == FallbackKind::binary);
  std::vector<std::uint8_t> discs;
  for (int raster = 0; raster < 60; ++raster)
    for (int y = 0; y < 28; ++y)
      for (int x = 0; x < 28; ++x)
        discs.push_back((x - 14) * (x - 14) + (y - 13) * (y - 13) < 20 + 2 * raster);
  CHECK(3 * coded_bytes(discs, binary, 1) < 2 * coded_bytes(discs, {}, 1));
}

TEST_CASE("fallback: rasters of several sizes share what is learned and come back") {
  for (const FallbackKind kind : {FallbackKind::image, FallbackKind::binary}) {
    const FallbackForm forms[] = {{kind, 9, 7, 1, 3}, {kind, 1, 5, 1, 4}, {kind, 30, 2, 1, 1}};
    const auto data = random_bytes(9 * 7 * 3 + 20 + 60, kind == FallbackKind::binary ? 2 : 256);
    Message message(2);
    push_fallback_forms(message, data, forms);
    Message read = Message::parse(message.serialise(), 2);
    CHECK(pop_fallback_forms(read, data.size(), forms) == data);
    read.check_end(0);
  }
}

TEST_CASE("fallback: what is no raster is bytes") {
  CHECK(fallback_form(1, 256, 1, 27).kind == FallbackKind::bytes);
  CHECK(fallback_form(256, 1, 1, 256).kind == FallbackKind::bytes);
  CHECK(fallback_form(8, 8, 17, 256).kind == FallbackKind::bytes);
}

TEST_CASE("fallback: a binary raster with other values is refused") {
  Message message(1);
  const std::vector<std::uint8_t> grey = {0, 1, 2, 0};
  CHECK_THROWS_AS(push_fallback(message, grey, fallback_form(2, 2, 1, 2)), Error);
}

TEST_CASE("fallback: hostile messages give wrong data or an error, never a crash") {
  const auto data = random_bytes(500, 256);
  const FallbackForm forms[] = {{}, fallback_form(9, 7, 3, 256), fallback_form(9, 7, 1, 2)};
  Message message(2);
  push_fallback(message, data, {});
  const std::vector<std::byte> good = message.serialise();
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto bytes = good;
    bytes[i] ^= std::byte{0x11};
    for (const FallbackForm& form : forms) try {
        Message read = Message::parse(bytes, 2);
        (void)pop_fallback(read, data.size(), form);
        read.check_end(0);
        CHECK(false);
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::data);
      }
  }
}

}  // namespace logpx::fallback_test
