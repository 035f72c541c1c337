// The bytes of PNG and PNM files from pixels and back; the DEFLATE stream is zlib's.
#include "formats/archive/png_file.hpp"
#include "formats/archive/png_rows.hpp"
#include "libcore/base/error.hpp"

#include <zlib.h>

#include <algorithm>

namespace logpx::archive {

namespace {

constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);

std::uint32_t big_endian(ByteView bytes) {
  std::uint32_t value = 0;
  for (const std::byte byte : bytes.first(4))
    value = value << 8 | std::to_integer<std::uint32_t>(byte);
  return value;
}

void append_big_endian(ByteVector& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<std::byte>(value >> shift));
}

void append_bytes(ByteVector& out, ByteView bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

// Exactly `size` bytes out of a zlib stream; nothing when it holds more, less or nonsense.
std::optional<ByteVector> inflated(ByteView packed, std::size_t size) {
  ByteVector bytes(size);
  uLongf got = size;
  uLong taken = packed.size();
  const int status = uncompress2(reinterpret_cast<Bytef*>(bytes.data()), &got,
                                 reinterpret_cast<const Bytef*>(packed.data()), &taken);
  if (status != Z_OK || got != size || taken != packed.size()) return std::nullopt;
  return bytes;
}

std::size_t pixel_bytes(const PngPixels& png) {
  return std::max<std::size_t>(1, png.channels() * png.depth / 8);
}

bool undo_filters(PngPixels& png, ByteView filtered) {
  const std::size_t wide = png.row_bytes(), pixel = pixel_bytes(png);
  png.samples.resize(wide * png.height);
  for (std::size_t y = 0; y < png.height; ++y) {
    const ByteView from = filtered.subspan(y * (wide + 1), wide + 1);
    const std::span<std::byte> row = std::span(png.samples).subspan(y * wide, wide);
    const ByteView above =
        y == 0 ? ByteView() : ByteView(png.samples).subspan((y - 1) * wide, wide);
    const int filter = std::to_integer<int>(from[0]);
    if (filter >= png_filters) return false;
    unfilter_row(filter, pixel, from.subspan(1), above, row);
  }
  return true;
}

// Pictures use the Paeth filter; palettes and packed bits use none.
ByteVector filtered_rows(const PngPixels& png) {
  const std::size_t wide = png.row_bytes();
  const int filter = png.colour == 3 || png.depth < 8 ? 0 : 4;
  ByteVector out;
  out.reserve((wide + 1) * png.height);
  for (std::size_t y = 0; y < png.height; ++y) {
    const ByteView row = ByteView(png.samples).subspan(y * wide, wide);
    const ByteView above =
        y == 0 ? ByteView() : ByteView(png.samples).subspan((y - 1) * wide, wide);
    out.push_back(static_cast<std::byte>(filter));
    out.resize(out.size() + wide);
    filter_row(filter, pixel_bytes(png), row, above, std::span(out).last(wide));
  }
  return out;
}

bool take_header(PngPixels& png, ByteView data) {
  if (data.size() != 13) return false;
  png.width = big_endian(data);
  png.height = big_endian(data.subspan(4));
  png.depth = std::to_integer<std::uint8_t>(data[8]);
  png.colour = std::to_integer<std::uint8_t>(data[9]);
  const bool plain =
      data[10] == std::byte{0} && data[11] == std::byte{0} && data[12] == std::byte{0};
  if (!plain) return false;  // interlaced
  try {
    (void)parse_png_meta(png_meta(png));
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

ByteVector png_chunk(std::string_view type, ByteView data) {
  ByteVector out;
  append_big_endian(out, static_cast<std::uint32_t>(data.size()));
  for (const ByteView part : {bytes_of(type), data}) append_bytes(out, part);
  append_big_endian(out, crc32_of(data, crc32_of(bytes_of(type))));
  return out;
}

std::uint64_t declared_pixel_bytes(ByteView first) {
  PngPixels png;
  const bool known = first.size() >= 33 &&
                     std::ranges::equal(first.first(8), bytes_of(signature)) &&
                     take_header(png, first.subspan(16, 13));
  return known ? std::uint64_t{png.row_bytes()} * png.height : 0;
}

std::optional<PngPixels> read_png(ByteView file) {
  if (file.size() < 57 || !std::ranges::equal(file.first(8), bytes_of(signature)))
    return std::nullopt;
  PngPixels png;
  ByteVector packed;
  bool header = false, ended = false;
  for (file = file.subspan(8); file.size() >= 12 && !ended;) {
    const std::size_t size = big_endian(file);
    if (size > file.size() - 12) return std::nullopt;
    const std::string type(reinterpret_cast<const char*>(file.data()) + 4, 4);
    const ByteView data = file.subspan(8, size);
    if (big_endian(file.subspan(8 + size)) != crc32_of(file.subspan(4, size + 4)))
      return std::nullopt;
    file = file.subspan(12 + size);
    if (!header) {
      if (type != "IHDR" || !take_header(png, data)) return std::nullopt;
      header = true;
    } else if (type == "IDAT") packed.insert(packed.end(), data.begin(), data.end());
    else if (type == "IEND") ended = true;
    else png.chunks.push_back({type, packed.empty(), ByteVector(data.begin(), data.end())});
  }
  if (!ended || !file.empty()) return std::nullopt;
  const std::size_t size = (png.row_bytes() + 1) * png.height;
  // DEFLATE cannot do better than 1032 to 1: a larger promise is refused.
  if (size > most_pixel_bytes || size / 1100 > packed.size()) return std::nullopt;
  const auto filtered = inflated(packed, size);
  if (!filtered || !undo_filters(png, *filtered)) return std::nullopt;
  return png;
}

ByteVector write_png(const PngPixels& png) {
  ByteVector out(bytes_of(signature).begin(), bytes_of(signature).end());
  ByteVector header;
  append_big_endian(header, png.width);
  append_big_endian(header, png.height);
  for (const int value : {int{png.depth}, int{png.colour}, 0, 0, 0})
    header.push_back(static_cast<std::byte>(value));
  append_bytes(out, png_chunk("IHDR", header));
  for (const PngChunk& chunk : png.chunks)
    if (chunk.before_pixels) append_bytes(out, png_chunk(chunk.type, chunk.data));
  const ByteVector rows = filtered_rows(png);
  uLongf size = compressBound(rows.size());
  ByteVector packed(size);
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(rows.data()), rows.size(), 9) != Z_OK)
    fail(ErrorKind::io, "picture", "not enough memory to compress it");
  packed.resize(size);
  append_bytes(out, png_chunk("IDAT", packed));
  for (const PngChunk& chunk : png.chunks)
    if (!chunk.before_pixels) append_bytes(out, png_chunk(chunk.type, chunk.data));
  append_bytes(out, png_chunk("IEND", {}));
  return out;
}

ByteVector write_pnm(const PngPixels& png) {
  if (png.depth < 8 || (png.colour != 0 && png.colour != 2))
    fail(ErrorKind::usage, "--to", "pnm holds grey and RGB pixels only, not palettes or alpha",
         "--to png");
  const std::string header = std::string(png.colour == 0 ? "P5\n" : "P6\n") +
                             std::to_string(png.width) + ' ' + std::to_string(png.height) + '\n' +
                             (png.depth == 8 ? "255\n" : "65535\n");
  return WireWriter().text(header).raw(png.samples).bytes();
}

}  // namespace logpx::archive
