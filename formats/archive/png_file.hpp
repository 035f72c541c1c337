// PNG files taken apart into pixels and everything around them. Other writers' choices of filters
// and matches cannot be recovered from pixels, so a file comes back exactly only if our own writer
// made it; pixels always do.
#pragma once

#include "formats/archive/layout.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx::archive {

constexpr std::size_t most_pixel_bytes = 256u << 20;  // of a picture that is read

struct PngChunk {
  std::string type;  // "tEXt"
  bool before_pixels = true;
  ByteVector data;
};

struct PngPixels {
  std::uint32_t width = 0, height = 0;
  std::uint8_t depth = 8, colour = 0;  // as in IHDR: 0 grey, 2 RGB, 3 palette, 4 and 6 with alpha
  std::vector<PngChunk> chunks;        // all but IHDR, IDAT and IEND, in order
  ByteVector samples;                  // the rows as the file has them, without filters

  [[nodiscard]] std::uint32_t channels() const;
  [[nodiscard]] std::size_t row_bytes() const;
};

// How many bytes the pixels of a PNG take according to its beginning, before anything is unpacked;
// 0 if it is not a PNG.
[[nodiscard]] std::uint64_t declared_pixel_bytes(ByteView first);
// Nothing for a file that is not a PNG, is damaged or interlaced, or has over 256 MiB of pixels.
[[nodiscard]] std::optional<PngPixels> read_png(ByteView file);
[[nodiscard]] ByteVector write_png(const PngPixels& png);
// With its length and check sum.
[[nodiscard]] ByteVector png_chunk(std::string_view type, ByteView data);
// P5 or P6: a usage error for a picture that these cannot hold.
[[nodiscard]] ByteVector write_pnm(const PngPixels& png);

// What view-samples would write for these pixels; nothing for those it never makes.
[[nodiscard]] std::optional<ByteVector> own_png(const PngPixels& png);

// Everything but the samples, as a member's meta; parsing is checked like any hostile input.
[[nodiscard]] ByteVector png_meta(const PngPixels& png);
[[nodiscard]] PngPixels parse_png_meta(ByteView meta);

// Grey and RGB of 8 bits are pictures that a model may code; anything else is rows of bytes, or of
// channels for the fallback coder alone.
[[nodiscard]] SampleLayout png_layout(const PngPixels& png, MemberKind kind);

// What comes before the samples in the hash of a raster: width, height, channels, depth.
[[nodiscard]] ByteVector raster_head(const PngPixels& png);

}  // namespace logpx::archive
