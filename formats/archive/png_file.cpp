#include "formats/archive/png_file.hpp"

#include "formats/draw/png.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::size_t most_side = 32768;

bool known_colour(std::uint8_t colour, std::uint8_t depth) {
  switch (colour) {
    case 0: return depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    case 3: return depth == 1 || depth == 2 || depth == 4 || depth == 8;
    case 2:
    case 4:
    case 6: return depth == 8 || depth == 16;
    default: return false;
  }
}

bool plausible(const PngPixels& png) {
  return png.width > 0 && png.height > 0 && png.width <= most_side && png.height <= most_side &&
         known_colour(png.colour, png.depth) && png.row_bytes() * png.height <= most_pixel_bytes;
}

}  // namespace

std::uint32_t PngPixels::channels() const {
  return colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
}

std::size_t PngPixels::row_bytes() const {
  return (std::size_t{width} * channels() * depth + 7) / 8;
}

SampleLayout png_layout(const PngPixels& png, MemberKind kind) {
  SampleLayout layout{.kind = kind, .rasters = 1};
  const std::int64_t wide = static_cast<std::int64_t>(png.row_bytes());
  if (png.colour == 3 || png.depth < 8) {
    layout.rasters = png.height;
    layout.shape = {1, wide, 1};
  } else {
    const std::int64_t channels = std::int64_t{png.channels()} * (png.depth / 8);
    layout.shape = {png.height, png.width, channels};
  }
  return layout;
}

ByteVector raster_head(const PngPixels& png) {
  return WireWriter().u32(png.width).u32(png.height).u32(png.channels()).u32(png.depth).bytes();
}

std::optional<ByteVector> own_png(const PngPixels& png) {
  if (png.depth != 8 || (png.colour != 0 && png.colour != 2) || !png.chunks.empty())
    return std::nullopt;
  const int channels = static_cast<int>(png.channels());
  const int wide = static_cast<int>(png.width), high = static_cast<int>(png.height);
  draw::Picture picture(wide, high, channels);
  const std::byte* at = png.samples.data();
  for (int y = 0; y < high; ++y)
    for (int x = 0; x < wide; ++x, at += channels) {
      const auto value = [&](int c) { return std::to_integer<std::uint8_t>(at[c]); };
      picture.set(x, y, {value(0), value(channels / 2), value(channels - 1)});
    }
  return draw::png_bytes(picture);
}

ByteVector png_meta(const PngPixels& png) {
  WireWriter out;
  out.u32(png.width).u32(png.height).u8(png.depth).u8(png.colour);
  for (const PngChunk& chunk : png.chunks) {
    out.text(chunk.type).u8(chunk.before_pixels ? 1 : 0);
    out.u32(static_cast<std::uint32_t>(chunk.data.size())).raw(chunk.data);
  }
  return out.bytes();
}

PngPixels parse_png_meta(ByteView meta) {
  WireReader in(meta, "PNG header");
  PngPixels png;
  png.width = in.u32();
  png.height = in.u32();
  png.depth = in.u8();
  png.colour = in.u8();
  if (!plausible(png)) fail(ErrorKind::data, "PNG header", "is not one that a PNG can have");
  while (!in.rest().empty()) {
    PngChunk chunk;
    chunk.type = in.text(4);
    chunk.before_pixels = in.u8() != 0;
    const ByteView data = in.raw(in.u32());
    chunk.data.assign(data.begin(), data.end());
    png.chunks.push_back(std::move(chunk));
  }
  return png;
}

}  // namespace logpx::archive
