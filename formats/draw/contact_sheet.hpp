// Many images of one size on one sheet, in rows from the top left, enlarged by a whole number so
// that every pixel stays a square.
//
//   Picture sheet = contact_sheet({.pixels = x, .count = 64, .height = 28, .width = 28},
//                                 {.scale = 4});
#pragma once

#include "formats/draw/picture.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx::draw {

struct ImageStack {
  std::span<const std::uint8_t> pixels{};  // [count, height, width, channels]
  std::int64_t count = 0;
  int height = 0, width = 0, channels = 1;  // channels is 1 or 3
  int levels = 256;                         // values 0 .. levels-1 are spread over 0 .. 255
};

enum class Tone { as_is, inverted };

struct SheetOptions {
  int columns = 0, rows = 0;  // 0: chosen: all images on a sheet between square and 3:2
  int scale = 0;              // 0: chosen, so that the sheet is about 960 pixels wide
  int gap = 2;                // pixels of the sheet between images and around them
  Tone tone = Tone::as_is;
  std::vector<std::string> captions{};  // under each image; empty: none
};

struct SheetLayout {
  int columns = 0, rows = 0, scale = 0, gap = 0;
  int cell_width = 0, cell_height = 0, caption_scale = 0;  // cells without their gap
  [[nodiscard]] int width() const { return columns * (cell_width + gap) + gap; }
  [[nodiscard]] int height() const { return rows * (cell_height + gap) + gap; }
};

// A sheet of more than 2^28 pixels is a usage error. Images that do not fit the grid are left out.
[[nodiscard]] SheetLayout lay_out(const ImageStack& images, const SheetOptions& options);
[[nodiscard]] Picture contact_sheet(const ImageStack& images, const SheetOptions& options);

}  // namespace logpx::draw
