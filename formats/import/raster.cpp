#include "formats/import/raster.hpp"

#include "formats/import/importer.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

Raster blank(std::int64_t width, std::int64_t height, std::int64_t channels) {
  Raster picture{width, height, channels, {}};
  picture.pixels.resize(static_cast<std::size_t>(width * height * channels));
  return picture;
}

// How much of each source pixel a target pixel covers, in units of 1/target of a source pixel: the
// weights of one target pixel sum to `source`.
struct Cover {
  std::int64_t first = 0;
  std::vector<std::uint32_t> weights;
};

std::vector<Cover> covers(std::int64_t source, std::int64_t target) {
  std::vector<Cover> all(static_cast<std::size_t>(target));
  for (std::int64_t i = 0; i < target; ++i) {
    const std::int64_t begin = i * source, end = begin + source;
    Cover& cover = all[static_cast<std::size_t>(i)];
    cover.first = begin / target;
    for (std::int64_t k = cover.first; k * target < end; ++k)
      cover.weights.push_back(static_cast<std::uint32_t>(std::min(end, (k + 1) * target) -
                                                         std::max(begin, k * target)));
  }
  return all;
}

// One row of the source, averaged along x and not yet divided: [width, channels].
std::vector<std::uint32_t> row_sums(const Raster& picture, std::int64_t y,
                                    const std::vector<Cover>& columns) {
  std::vector<std::uint32_t> sums;
  sums.reserve(columns.size() * static_cast<std::size_t>(picture.channels));
  for (const Cover& cover : columns)
    for (std::int64_t c = 0; c < picture.channels; ++c) {
      std::uint32_t sum = 0;
      const std::uint8_t* pixel = picture.at(y, cover.first) + c;
      for (const std::uint32_t weight : cover.weights) {
        sum += weight * *pixel;
        pixel += picture.channels;
      }
      sums.push_back(sum);
    }
  return sums;
}

}  // namespace

PictureKind picture_kind(std::span<const std::byte> bytes) {
  if (begins_with(bytes, "\x89PNG\r\n\x1a\n")) return PictureKind::png;
  if (begins_with(bytes, "\xff\xd8\xff")) return PictureKind::jpeg;
  if (begins_with(bytes, "BM")) return PictureKind::bmp;
  for (const char* magic : {"P4", "P5", "P6"})
    if (begins_with(bytes, magic)) return PictureKind::pnm;
  return PictureKind::none;
}

Raster decode_picture(std::span<const std::byte> bytes, Depth depth, const std::string& name) {
  if (bytes.empty()) fail(ErrorKind::data, name, "no images");
  switch (picture_kind(bytes)) {
    case PictureKind::pnm: return decode_pnm(bytes, depth, name);
    case PictureKind::png:
    case PictureKind::jpeg:
    case PictureKind::bmp: return decode_by_stb(bytes, depth, name);
    case PictureKind::none: break;
  }
  fail(ErrorKind::data, name, "no known image format", "--skip-bad");
}

Rectangle picture_size(std::span<const std::byte> bytes, const std::string& name) {
  const bool pnm = picture_kind(bytes) == PictureKind::pnm;
  return pnm ? pnm_size(bytes, name) : size_by_stb(bytes, name);
}

void check_picture_size(std::int64_t width, std::int64_t height, const std::string& name) {
  const bool fits = width >= 1 && height >= 1 && width <= max_side && height <= max_side &&
                    width * height <= max_pixels;
  if (!fits)
    fail(ErrorKind::data, name,
         "is " + std::to_string(width) + "x" + std::to_string(height) +
             ", at most 32768 a side and 268435456 pixels allowed");
}

void fail_16_bit(const std::string& name) {
  fail(ErrorKind::data, name, "has 16 bits a channel", "--to-8bit");
}

Raster without_alpha(const Raster& picture, Alpha alpha, const std::string& name) {
  if (picture.channels % 2 == 1) return picture;
  if (alpha == Alpha::refuse)
    fail(ErrorKind::data, name, "has transparency", "--alpha drop, black or white");
  Raster opaque = blank(picture.width, picture.height, picture.channels - 1);
  const unsigned ground = alpha == Alpha::white ? 255 : 0;
  std::uint8_t* out = opaque.pixels.data();
  for (std::int64_t i = 0; i < picture.width * picture.height; ++i) {
    const std::uint8_t* pixel = picture.pixels.data() + i * picture.channels;
    const unsigned a = alpha == Alpha::drop ? 255 : pixel[opaque.channels];
    for (std::int64_t c = 0; c < opaque.channels; ++c)
      *out++ = static_cast<std::uint8_t>((pixel[c] * a + ground * (255 - a) + 127) / 255);
  }
  return opaque;
}

// (299 R + 587 G + 114 B + 500) / 1000, rounded down.
Raster to_gray(const Raster& picture) {
  if (picture.channels == 1) return picture;
  Raster gray = blank(picture.width, picture.height, 1);
  for (std::size_t i = 0; i < gray.pixels.size(); ++i) {
    const std::uint8_t* p = picture.pixels.data() + 3 * i;
    gray.pixels[i] = static_cast<std::uint8_t>((299 * p[0] + 587 * p[1] + 114 * p[2] + 500) / 1000);
  }
  return gray;
}

Raster to_rgb(const Raster& picture) {
  if (picture.channels == 3) return picture;
  Raster rgb = blank(picture.width, picture.height, 3);
  for (std::size_t i = 0; i < rgb.pixels.size(); ++i) rgb.pixels[i] = picture.pixels[i / 3];
  return rgb;
}

Raster cut(const Raster& picture, Rectangle part) {
  Raster inner = blank(part.width, part.height, picture.channels);
  const std::int64_t row = part.width * picture.channels;
  for (std::int64_t y = 0; y < part.height; ++y)
    std::copy_n(picture.at(part.y + y, part.x), row, inner.pixels.data() + y * row);
  return inner;
}

Rectangle centre_crop(const Raster& picture, std::int64_t width, std::int64_t height) {
  Rectangle part{0, 0, picture.width, picture.height};
  if (picture.width * height > picture.height * width)
    part.width = std::max<std::int64_t>(1, picture.height * width / height);
  else part.height = std::max<std::int64_t>(1, picture.width * height / width);
  part.x = (picture.width - part.width) / 2;
  part.y = (picture.height - part.height) / 2;
  return part;
}

Raster area_average(const Raster& picture, std::int64_t width, std::int64_t height) {
  if (width == picture.width && height == picture.height) return picture;
  const std::vector<Cover> columns = covers(picture.width, width);
  const std::vector<Cover> lines = covers(picture.height, height);
  const auto area = static_cast<std::uint64_t>(picture.width * picture.height);
  Raster result = blank(width, height, picture.channels);
  std::uint8_t* out = result.pixels.data();
  std::vector<std::uint32_t> sums;
  std::int64_t summed = -1;  // the source row that `sums` is of; neighbours share their edge rows
  for (const Cover& cover : lines) {
    std::vector<std::uint64_t> totals(static_cast<std::size_t>(width * picture.channels), area / 2);
    for (std::size_t k = 0; k < cover.weights.size(); ++k) {
      const std::int64_t y = cover.first + static_cast<std::int64_t>(k);
      if (y != summed) sums = row_sums(picture, y, columns);
      summed = y;
      for (std::size_t i = 0; i < totals.size(); ++i)
        totals[i] += std::uint64_t{cover.weights[k]} * sums[i];
    }
    for (const std::uint64_t total : totals) *out++ = static_cast<std::uint8_t>(total / area);
  }
  return result;
}

Raster pad_to(const Raster& picture, std::int64_t width, std::int64_t height) {
  std::int64_t inner_width = width, inner_height = height;
  if (picture.width * height > picture.height * width)
    inner_height = std::max<std::int64_t>(1, picture.height * width / picture.width);
  else inner_width = std::max<std::int64_t>(1, picture.width * height / picture.height);
  const Raster inner = area_average(picture, inner_width, inner_height);
  Raster padded = blank(width, height, picture.channels);
  const std::int64_t left = (width - inner_width) / 2, top = (height - inner_height) / 2;
  for (std::int64_t y = 0; y < inner_height; ++y)
    std::copy_n(inner.at(y, 0), inner_width * picture.channels,
                padded.pixels.data() + ((top + y) * width + left) * picture.channels);
  return padded;
}

}  // namespace logpx
