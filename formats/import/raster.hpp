// A decoded picture and what pack-data does to it, all in integers, so that the result is bit-equal
// everywhere.   [data/README 6.2]
#pragma once

#include "formats/import/options.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct Raster {
  std::int64_t width = 0, height = 0, channels = 0;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
  std::vector<std::uint8_t> pixels;                  // [height, width, channels]
  bool deep = false;                                 // had 16 bits a channel

  [[nodiscard]] const std::uint8_t* at(std::int64_t y, std::int64_t x) const {
    return pixels.data() + (y * width + x) * channels;
  }
};

struct Rectangle {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
};

inline constexpr std::int64_t max_side = 32768, max_pixels = std::int64_t{1} << 28;

enum class PictureKind { none, png, jpeg, bmp, pnm };
[[nodiscard]] PictureKind picture_kind(std::span<const std::byte> bytes);
enum class Depth { refuse_16, upper_8 };  // what to do with 16 bits a channel

// A data error for a JPEG whose Huffman tables would overflow those of stb_image.
void check_jpeg_tables(std::span<const std::byte> bytes, const std::string& name);
// Decodes with stb_image; kind is png, jpeg or bmp.
[[nodiscard]] Raster decode_by_stb(std::span<const std::byte> bytes, Depth depth,
                                   const std::string& name);
// Decodes P4, P5, P6 with any maxval: values become 0..255, rounded.
[[nodiscard]] Raster decode_pnm(std::span<const std::byte> bytes, Depth depth,
                                const std::string& name);
// Decodes any of these formats; a data error names the file.
[[nodiscard]] Raster decode_picture(std::span<const std::byte> bytes, Depth depth,
                                    const std::string& name);
// A data error unless sides and pixels are within the limits: called before anything is allocated.
void check_picture_size(std::int64_t width, std::int64_t height, const std::string& name);
// Width and height from the header alone, unchecked.
[[nodiscard]] Rectangle picture_size(std::span<const std::byte> bytes, const std::string& name);
[[nodiscard]] Rectangle size_by_stb(std::span<const std::byte> bytes, const std::string& name);
[[nodiscard]] Rectangle pnm_size(std::span<const std::byte> bytes, const std::string& name);
[[noreturn]] void fail_16_bit(const std::string& name);

[[nodiscard]] Raster without_alpha(const Raster& picture, Alpha alpha, const std::string& name);
[[nodiscard]] Raster to_gray(const Raster& picture);  // BT.601, see raster.cpp
[[nodiscard]] Raster to_rgb(const Raster& picture);

[[nodiscard]] Raster cut(const Raster& picture, Rectangle part);
// The largest rectangle in the middle with the proportions of width x height.
[[nodiscard]] Rectangle centre_crop(const Raster& picture, std::int64_t width, std::int64_t height);
// Every pixel of the result is the mean over the area it covers, rounded half up.
[[nodiscard]] Raster area_average(const Raster& picture, std::int64_t width, std::int64_t height);
// Shrunk or grown to fit inside, proportions kept, black around it.
[[nodiscard]] Raster pad_to(const Raster& picture, std::int64_t width, std::int64_t height);

}  // namespace logpx
