#include "formats/draw/contact_sheet.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace logpx::draw {

namespace {

constexpr Colour ground = {.red = 104, .green = 104, .blue = 104};
constexpr Colour caption_ink = {.red = 255, .green = 255, .blue = 255};
constexpr int likely_width = 960, largest_scale = 16;
constexpr std::int64_t most_pixels = std::int64_t{1} << 28;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

struct Grid {
  std::int64_t columns, rows;
};

// A grid between square and 3:2 with as few empty cells as possible.
Grid choose_grid(const ImageStack& images, const SheetOptions& options) {
  if (options.columns > 0 && options.rows > 0) return {options.columns, options.rows};
  const std::int64_t count = std::max<std::int64_t>(images.count, 1);
  if (options.columns > 0)
    return {std::min<std::int64_t>(options.columns, count), ceil_div(count, options.columns)};
  if (options.rows > 0) return {ceil_div(count, options.rows), options.rows};
  const double square = std::sqrt(static_cast<double>(count) * images.height / images.width);
  const auto at_most_all = [&](double columns) {
    return std::clamp(static_cast<std::int64_t>(std::ceil(columns - 1e-9)), std::int64_t{1}, count);
  };
  Grid best = {0, 0};
  for (std::int64_t columns = at_most_all(square); columns <= at_most_all(std::sqrt(1.5) * square);
       ++columns) {
    const std::int64_t rows = ceil_div(count, columns);
    if (best.rows == 0 || columns * rows < best.columns * best.rows) best = {columns, rows};
  }
  return best;
}

int choose_scale(const ImageStack& images, const SheetOptions& options, Grid grid) {
  if (options.scale > 0) return options.scale;
  const std::int64_t room = likely_width - (grid.columns + 1) * options.gap;
  return static_cast<int>(
      std::clamp<std::int64_t>(room / (grid.columns * images.width), 1, largest_scale));
}

// What a pixel value looks like.
std::array<std::uint8_t, 256> tones(int levels, Tone tone) {
  std::array<std::uint8_t, 256> table{};
  const int top = std::max(levels - 1, 1);
  for (int value = 0; value < 256; ++value) {
    const int shown = (std::min(value, top) * 255 + top / 2) / top;
    table[static_cast<std::size_t>(value)] =
        static_cast<std::uint8_t>(tone == Tone::inverted ? 255 - shown : shown);
  }
  return table;
}

void draw_image(Picture& sheet, std::span<const std::uint8_t> pixels, const ImageStack& images,
                Box place, const std::array<std::uint8_t, 256>& table) {
  const int scale = place.width / images.width;
  for (int y = 0; y < images.height; ++y)
    for (int x = 0; x < images.width; ++x) {
      const auto first = static_cast<std::size_t>((y * images.width + x) * images.channels);
      Colour colour;
      colour.red = table[pixels[first]];
      colour.green = images.channels == 3 ? table[pixels[first + 1]] : colour.red;
      colour.blue = images.channels == 3 ? table[pixels[first + 2]] : colour.red;
      fill_box(sheet, {place.x + x * scale, place.y + y * scale, scale, scale}, colour);
    }
}

// The beginning of a caption for which the cell has room.
std::string fitting(std::string text, const SheetLayout& layout) {
  while (!text.empty() && text_width(text, layout.caption_scale) > layout.cell_width)
    text.pop_back();
  return text;
}

}  // namespace

SheetLayout lay_out(const ImageStack& images, const SheetOptions& options) {
  LOGPX_ASSERT(images.channels == 1 || images.channels == 3);
  LOGPX_ASSERT(images.height > 0 && images.width > 0 && options.gap >= 0);
  const Grid grid = choose_grid(images, options);
  const int scale = choose_scale(images, options, grid);
  const std::int64_t cell_width = std::int64_t{images.width} * scale;
  std::int64_t cell_height = std::int64_t{images.height} * scale;
  const int caption_scale = options.captions.empty() ? 0 : (cell_width >= 64 ? 2 : 1);
  if (caption_scale > 0) cell_height += (glyph_height + 3) * caption_scale;
  const std::int64_t width = grid.columns * (cell_width + options.gap) + options.gap;
  const std::int64_t height = grid.rows * (cell_height + options.gap) + options.gap;
  if (width > most_pixels || height > most_pixels || width * height > most_pixels)
    fail(ErrorKind::usage, "picture",
         "would have " + std::to_string(width) + " x " + std::to_string(height) +
             " pixels, at most 2^28 are possible",
         "--limit, --grid or --scale make it smaller");
  return {.columns = static_cast<int>(grid.columns),
          .rows = static_cast<int>(grid.rows),
          .scale = scale,
          .gap = options.gap,
          .cell_width = static_cast<int>(cell_width),
          .cell_height = static_cast<int>(cell_height),
          .caption_scale = caption_scale};
}

Picture contact_sheet(const ImageStack& images, const SheetOptions& options) {
  const SheetLayout layout = lay_out(images, options);
  const auto table = tones(images.levels, options.tone);
  Picture sheet(layout.width(), layout.height(), images.channels, ground);
  const std::int64_t shown = std::min(images.count, std::int64_t{layout.columns} * layout.rows);
  const auto size = static_cast<std::size_t>(images.height) *
                    static_cast<std::size_t>(images.width) *
                    static_cast<std::size_t>(images.channels);
  LOGPX_ASSERT(images.pixels.size() >= static_cast<std::size_t>(images.count) * size);
  for (std::int64_t i = 0; i < shown; ++i) {
    const auto row = static_cast<int>(i / layout.columns);
    const auto column = static_cast<int>(i % layout.columns);
    const Box place = {layout.gap + column * (layout.cell_width + layout.gap),
                       layout.gap + row * (layout.cell_height + layout.gap), layout.cell_width,
                       images.height * layout.scale};
    const auto index = static_cast<std::size_t>(i);
    draw_image(sheet, images.pixels.subspan(index * size, size), images, place, table);
    if (index >= options.captions.size()) continue;
    const std::string caption = fitting(options.captions[index], layout);
    draw_text(sheet, place.x + (place.width - text_width(caption, layout.caption_scale)) / 2,
              place.y + place.height + 2 * layout.caption_scale, caption,
              {.scale = layout.caption_scale, .colour = caption_ink});
  }
  return sheet;
}

}  // namespace logpx::draw
