#include "formats/draw/preview.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace logpx::draw {

namespace {

// The mean colour of the part of a picture that one smaller pixel covers. A source pixel counts by
// the share of it that is covered, in units of 1/target: all sums are whole numbers.
Colour mean_of(const Picture& picture, const Picture& target, int x, int y) {
  const std::int64_t w = picture.width(), h = picture.height();
  const std::int64_t tw = target.width(), th = target.height();
  std::array<std::int64_t, 3> sum{};
  std::int64_t weight_sum = 0;
  for (std::int64_t row = y * h / th; row * th < (y + 1) * h; ++row)
    for (std::int64_t column = x * w / tw; column * tw < (x + 1) * w; ++column) {
      const std::int64_t across =
          std::min((column + 1) * tw, (x + 1) * w) - std::max(column * tw, x * w);
      const std::int64_t down = std::min((row + 1) * th, (y + 1) * h) - std::max(row * th, y * h);
      const Colour colour = picture.at(static_cast<int>(column), static_cast<int>(row));
      sum[0] += across * down * colour.red;
      sum[1] += across * down * colour.green;
      sum[2] += across * down * colour.blue;
      weight_sum += across * down;
    }
  const auto mean = [&](std::size_t c) {
    return static_cast<std::uint8_t>((sum[c] + weight_sum / 2) / weight_sum);
  };
  return {mean(0), mean(1), mean(2)};
}

std::string colour_code(char layer, Colour colour) {
  return std::string("\x1b[") + layer + "8;2;" + std::to_string(colour.red) + ';' +
         std::to_string(colour.green) + ';' + std::to_string(colour.blue) + 'm';
}

}  // namespace

Picture shrink_to_width(const Picture& picture, int width) {
  LOGPX_ASSERT(width > 0);
  if (picture.width() <= width) return picture;
  const double height = static_cast<double>(picture.height()) * width / picture.width();
  Picture target(width, std::max(1, static_cast<int>(std::lround(height))), picture.channels());
  for (int y = 0; y < target.height(); ++y)
    for (int x = 0; x < target.width(); ++x) target.set(x, y, mean_of(picture, target, x, y));
  return target;
}

std::string half_blocks(const Picture& picture, int columns) {
  const Picture shown = shrink_to_width(picture, columns);
  std::string text;
  for (int y = 0; y < shown.height(); y += 2) {
    std::optional<Colour> above, below;  // in force on this line
    for (int x = 0; x < shown.width(); ++x) {
      if (const Colour colour = shown.at(x, y); above != colour) {
        above = colour;
        text += colour_code('3', colour);
      }
      // The lower half of an odd last line stays the terminal's own.
      if (y + 1 < shown.height() && below != shown.at(x, y + 1)) {
        below = shown.at(x, y + 1);
        text += colour_code('4', *below);
      }
      text += "\u2580";
    }
    text += "\x1b[0m\n";
  }
  return text;
}

}  // namespace logpx::draw
