#include "formats/draw/row_picture.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/draw/ticks.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace logpx::draw {
namespace {

constexpr Colour paper_colour = {.red = 255, .green = 255, .blue = 255};
constexpr Colour frame_ink = {.red = 90, .green = 90, .blue = 90};
constexpr Colour grid_ink = {.red = 225, .green = 225, .blue = 225};
constexpr Colour text_ink = {.red = 40, .green = 40, .blue = 40};
// Distinct, and of distinct lightness as far as eight allow [Okabe and Ito's palette].
constexpr std::array<Colour, 8> inks = {{{0, 90, 160},
                                         {213, 94, 0},
                                         {0, 158, 115},
                                         {204, 121, 167},
                                         {120, 94, 20},
                                         {86, 180, 233},
                                         {230, 159, 0},
                                         {60, 60, 60}}};

// A square window on the plane, the same for both axes in length.
struct Window {
  double x = 0, y = 0, side = 1;  // lower left corner
};

Window window_of(std::span<const float> points) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    if (!std::isfinite(points[i]) || !std::isfinite(points[i + 1])) continue;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], static_cast<double>(points[i + axis]));
      high[axis] = std::max(high[axis], static_cast<double>(points[i + axis]));
    }
  }
  if (low[0] > high[0]) fail(ErrorKind::data, "points", "none has two finite coordinates");
  double side = std::max(high[0] - low[0], high[1] - low[1]) * 1.08;
  if (side == 0) side = std::max({std::abs(low[0]), std::abs(low[1]), 1.0});
  return {(low[0] + high[0] - side) / 2, (low[1] + high[1] - side) / 2, side};
}

// The light that ink takes, per pixel and colour: sums, so the order of points does not matter.
class InkLayer {
 public:
  explicit InkLayer(int side)
      : side_(side),
        amount_(static_cast<std::size_t>(side) * static_cast<std::size_t>(side)),
        loss_(amount_.size()) {}

  // A round dot with a soft edge, its centre anywhere between the pixels.
  void dot(double x, double y, double radius, Colour ink) {
    const std::array<double, 3> absorbed = {absorption(ink.red), absorption(ink.green),
                                            absorption(ink.blue)};
    const int reach = static_cast<int>(std::ceil(radius + 1));
    const int cx = static_cast<int>(std::floor(x)), cy = static_cast<int>(std::floor(y));
    for (int py = std::max(cy - reach, 0); py <= std::min(cy + reach, side_ - 1); ++py)
      for (int px = std::max(cx - reach, 0); px <= std::min(cx + reach, side_ - 1); ++px) {
        const double distance = std::hypot(px + 0.5 - x, py + 0.5 - y);
        const double cover = std::clamp(radius + 0.5 - distance, 0.0, 1.0);
        const std::size_t pixel = index(px, py);
        amount_[pixel] += cover;
        for (std::size_t c = 0; c < 3; ++c) loss_[pixel][c] += cover * absorbed[c];
      }
  }

  // Darkness grows with the logarithm of the amount, and the densest 2 % of the inked pixels are as
  // dark as it gets: single points stay visible next to a crowd.
  void print(Picture& picture, Box box) const {
    const double full = dense_amount();
    constexpr double range = 12, darkest = 1.3;
    for (int y = 0; y < side_; ++y)
      for (int x = 0; x < side_; ++x) {
        const std::size_t pixel = index(x, y);
        const double amount = amount_[pixel];
        if (amount == 0) continue;
        const double shown =
            darkest * std::log1p(range * std::min(amount / full, 1.0)) / std::log1p(range) / amount;
        const Colour under = picture.at(box.x + x, box.y + y);
        const auto mix = [&](std::uint8_t light, std::size_t c) {
          return static_cast<std::uint8_t>(std::lround(light * std::exp(-shown * loss_[pixel][c])));
        };
        picture.set(box.x + x, box.y + y,
                    {mix(under.red, 0), mix(under.green, 1), mix(under.blue, 2)});
      }
  }

 private:
  static double absorption(std::uint8_t light) { return -std::log((light + 1.0) / 256.0); }
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(side_) +
           static_cast<std::size_t>(x);
  }
  [[nodiscard]] double dense_amount() const {
    std::vector<double> inked;
    for (const double amount : amount_)
      if (amount > 0) inked.push_back(amount);
    if (inked.empty()) return 1;
    const auto place = inked.begin() + static_cast<std::ptrdiff_t>(inked.size() * 98 / 100);
    std::nth_element(inked.begin(), place, inked.end());
    return std::max(*place, 1.0);
  }

  int side_;
  std::vector<double> amount_;               // [side, side]
  std::vector<std::array<double, 3>> loss_;  // [side, side]
};

// Many points get small dots.
double dot_radius(std::size_t count) {
  return std::clamp(5.0 / std::pow(static_cast<double>(count) + 1, 0.17), 0.8, 3.5);
}

struct Frame {
  Window window;
  Box box;
  [[nodiscard]] double across(double x) const { return (x - window.x) / window.side * box.width; }
  [[nodiscard]] double down(double y) const {
    return box.height - (y - window.y) / window.side * box.height;
  }
};

void draw_ticks(Picture& picture, const Frame& frame) {
  const double step = round_step(frame.window.side / 6);
  const Box box = frame.box;
  const auto each = [&](double low, auto&& draw) {
    for (double k = std::ceil(low / step); k * step <= low + frame.window.side; ++k)
      draw(k * step, four_digits(k == 0 ? 0.0 : k * step));
  };
  each(frame.window.x, [&](double x, const std::string& text) {
    const int px = box.x + static_cast<int>(frame.across(x));
    fill_box(picture, {px, box.y, 1, box.height}, grid_ink);
    fill_box(picture, {px, box.y + box.height, 1, 5}, frame_ink);
    draw_text(picture, px - text_width(text, 2) / 2, box.y + box.height + 9, text,
              {.scale = 2, .colour = text_ink});
  });
  each(frame.window.y, [&](double y, const std::string& text) {
    const int py = box.y + static_cast<int>(frame.down(y));
    fill_box(picture, {box.x, py, box.width, 1}, grid_ink);
    fill_box(picture, {box.x - 5, py, 5, 1}, frame_ink);
    draw_text(picture, box.x - 9 - text_width(text, 2), py - glyph_height, text,
              {.scale = 2, .colour = text_ink});
  });
}

void draw_border(Picture& picture, Box box) {
  fill_box(picture, {box.x - 1, box.y - 1, box.width + 2, 1}, frame_ink);
  fill_box(picture, {box.x - 1, box.y + box.height, box.width + 2, 1}, frame_ink);
  fill_box(picture, {box.x - 1, box.y - 1, 1, box.height + 2}, frame_ink);
  fill_box(picture, {box.x + box.width, box.y - 1, 1, box.height + 2}, frame_ink);
}

}  // namespace

Picture scatter(std::span<const float> points, const ScatterOptions& options) {
  LOGPX_ASSERT(options.size >= 200);
  constexpr int left = 76, top = 40, right = 24;
  const int side = options.size - left - right;
  Picture picture(options.size, side + top + 56, 3, paper_colour);
  const Frame frame = {window_of(points), {left, top, side, side}};
  draw_ticks(picture, frame);

  const double radius = dot_radius(points.size() / 2);
  InkLayer layer(side);
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    if (!std::isfinite(points[i]) || !std::isfinite(points[i + 1])) continue;
    const std::size_t kind = options.classes.empty()
                                 ? 0
                                 : static_cast<std::uint32_t>(options.classes[i / 2]) % inks.size();
    layer.dot(frame.across(points[i]), frame.down(points[i + 1]), radius, inks[kind]);
  }
  layer.print(picture, frame.box);
  draw_border(picture, frame.box);
  const TextStyle style = {.scale = 2, .colour = text_ink};
  draw_text(picture, left + (side - text_width(options.axes[0], 2)) / 2, top + side + 34,
            options.axes[0], style);
  draw_text(picture, left, top - 32, options.axes[1], style);
  return picture;
}

namespace {

std::array<std::int64_t, 2> chosen(const DatasetInfo& info, std::span<const std::int64_t> columns) {
  const std::int64_t dims = info.dims();
  const bool numbers = !info.is_text();
  if (columns.empty() && numbers && dims == 2) return {0, 1};
  if (columns.empty())
    fail(ErrorKind::usage, "--output",
         "rows of " + std::to_string(dims) + " values are not points in the plane",
         "--dims 0,1 draws two of them; without -o the rows are printed");
  const auto inside = [&](std::int64_t column) { return column >= 0 && column < dims; };
  if (columns.size() != 2 || !std::all_of(columns.begin(), columns.end(), inside))
    fail(ErrorKind::usage, "--dims", "expected two numbers from 0 to " + std::to_string(dims - 1));
  return {columns[0], columns[1]};
}

}  // namespace

Picture sheet_of_rows(const DatasetInfo& info, const Rows& rows, SheetOptions options,
                      Labels labels) {
  const auto& shape = info.shape;  // [H, W, C]
  if (info.content != Content::image || shape.size() != 3 || (shape[2] != 1 && shape[2] != 3))
    fail(ErrorKind::data, info.name, "has no images of 1 or 3 channels");
  if (labels == Labels::shown) options.captions = class_names(info, rows);
  return contact_sheet({.pixels = rows.values<std::uint8_t>(),
                        .count = rows.count,
                        .height = static_cast<int>(shape[0]),
                        .width = static_cast<int>(shape[1]),
                        .channels = static_cast<int>(shape[2]),
                        .levels = static_cast<int>(info.levels)},
                       options);
}

Picture scatter_of_rows(const DatasetInfo& info, const Rows& rows,
                        std::span<const std::int64_t> columns, Labels labels) {
  const std::array<std::int64_t, 2> pair = chosen(info, columns);
  ScatterOptions options;
  const std::vector<std::string> names = column_names(info);
  options.axes = {names[static_cast<std::size_t>(pair[0])],
                  names[static_cast<std::size_t>(pair[1])]};
  if (labels == Labels::shown) options.classes = rows.y;
  return scatter(points_of(info, rows, pair), options);
}

}  // namespace logpx::draw
