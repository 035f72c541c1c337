// Generators 3 and 4: scenes (colour) and gray8.   [data/README 4.4]
#include "libcore/base/number_text.hpp"
#include "libcore/data/strokes.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

using Colour = std::array<double, 3>;  // 0..255

void note_noise(DatasetInfo& info, double sigma) {
  info.notes.emplace_back("noise_floor_bits_per_dim", to_text(noise_floor_bits(sigma)));
}

class Scenes final : public Generator {
 public:
  explicit Scenes(const SyntheticOptions& options)
      : side_(static_cast<int>(*options.size)), noise_(*options.noise), glyph_(options.glyph) {
    if (side_ != 8 && side_ != 16 && side_ != 32 && side_ != 64)
      refuse_option("size", std::to_string(side_), "8, 16, 32 or 64");
    info_ = discrete_info(Content::image, {side_, side_, 3}, 256);
    info_.has_labels = true;
    info_.label_names = {"disc", "rectangle", "triangle"};
    if (glyph_) info_.label_names = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    note_noise(info_, noise_);
  }

  void make(ExampleDraws& draws, Example& example) const override {
    std::vector<Colour> picture(static_cast<std::size_t>(side_ * side_));
    paint_background(picture, draws);
    const std::uint32_t objects = 1 + draws.below(3);
    for (std::uint32_t k = 0; k < objects; ++k) example.label = paint_object(picture, draws);
    if (glyph_) example.label = paint_digit(picture, draws);
    light(picture, draws);
    for (std::size_t p = 0; p < picture.size(); ++p)
      for (std::size_t c = 0; c < 3; ++c) example.bytes[3 * p + c] = to_byte(picture[p][c]);
    add_noise(example.bytes, noise_, draws);
  }

 private:
  static Colour draw_colour(DrawCursor& draws) {
    Colour colour;
    for (double& channel : colour) channel = 255 * draws.uniform();
    return colour;
  }

  static void blend(Colour& pixel, const Colour& paint, double cover) {
    for (std::size_t c = 0; c < 3; ++c) pixel[c] += cover * (paint[c] - pixel[c]);
  }

  // Calls paint(pixel, centre of the pixel) for each pixel, row by row.
  template <typename Paint>
  void each_pixel(std::vector<Colour>& picture, Paint paint) const {
    for (int i = 0; i < side_; ++i)
      for (int j = 0; j < side_; ++j)
        paint(picture[static_cast<std::size_t>(i * side_ + j)], Point{j + 0.5, i + 0.5});
  }

  Point draw_place(DrawCursor& draws) const {
    const double x = side_ * draws.uniform();
    return {x, side_ * draws.uniform()};
  }

  void paint_background(std::vector<Colour>& picture, DrawCursor& draws) const {
    const Colour top = draw_colour(draws), bottom = draw_colour(draws), ground = draw_colour(draws);
    const double horizon = side_ * draws.uniform(0.3, 0.8);
    each_pixel(picture, [&](Colour& pixel, Point p) {
      pixel = top;
      blend(pixel, bottom, p.y / side_);
      blend(pixel, ground, coverage(horizon - p.y));
    });
  }

  std::int32_t paint_object(std::vector<Colour>& picture, DrawCursor& draws) const {
    const std::uint32_t kind = draws.below(3);
    const Colour colour = draw_colour(draws);
    const Point centre = draw_place(draws);
    const double radius = side_ * draws.uniform(0.1, 0.35);
    each_pixel(picture, [&](Colour& pixel, Point p) {
      const double distance = kind == 0   ? disc_distance(p, centre, radius)
                              : kind == 1 ? rectangle_distance(p, centre, {radius, 0.7 * radius})
                                          : triangle_distance(p, centre, radius);
      blend(pixel, colour, coverage(distance));
    });
    return static_cast<std::int32_t>(kind);
  }

  // The ink is far from the mean of the picture in each channel, so that the digit can be read.
  std::int32_t paint_digit(std::vector<Colour>& picture, DrawCursor& draws) const {
    const std::uint32_t digit = draws.below(10);
    const DigitPose pose = DigitPose::drawn(draws);
    Colour mean{}, ink;
    for (const Colour& pixel : picture)
      for (std::size_t c = 0; c < 3; ++c) mean[c] += pixel[c];
    for (std::size_t c = 0; c < 3; ++c) {
      const double middle = mean[c] / static_cast<double>(picture.size());
      ink[c] = middle + draws.uniform(100, 155);
      if (ink[c] > 255) ink[c] -= 255;
    }
    const std::vector<double> strokes =
        draw_strokes(digit_segments(static_cast<int>(digit), pose, side_), pose.radius * side_ / 28,
                     side_, side_);
    for (std::size_t p = 0; p < picture.size(); ++p) blend(picture[p], ink, strokes[p]);
    return static_cast<std::int32_t>(digit);
  }

  // A soft spot: times 1 + .3 exp(-d^2 / (.18 side^2)).
  void light(std::vector<Colour>& picture, DrawCursor& draws) const {
    const Point spot = draw_place(draws);
    each_pixel(picture, [&](Colour& pixel, Point p) {
      const double dx = p.x - spot.x, dy = p.y - spot.y;
      const double gain = 1 + 0.3 * det_exp(-(dx * dx + dy * dy) / (0.18 * side_ * side_));
      for (double& channel : pixel) channel *= gain;
    });
  }

  int side_;
  double noise_;
  bool glyph_;
};

class Gray8 final : public Generator {
 public:
  explicit Gray8(const SyntheticOptions& options) : noise_(*options.noise) {
    info_ = discrete_info(Content::image, {side, side, 1}, 256);
    note_noise(info_, noise_);
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const double base = draws.uniform(40, 160);
    const double slope_x = 6 * draws.normal(), slope_y = 6 * draws.normal();
    std::array<double, side * side> grey;
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        grey[static_cast<std::size_t>(i * side + j)] =
            base + slope_x * (j - 3.5) + slope_y * (i - 3.5);
    const std::uint32_t squares = 1 + draws.below(3);
    for (std::uint32_t k = 0; k < squares; ++k) {
      const auto extent = static_cast<int>(2 + draws.below(4));
      const auto places = static_cast<std::uint32_t>(side - extent + 1);
      const auto top = static_cast<int>(draws.below(places));
      const auto left = static_cast<int>(draws.below(places));
      const double tall = draws.uniform(30, 90);
      for (int i = top; i < top + extent; ++i)
        for (int j = left; j < left + extent; ++j)
          grey[static_cast<std::size_t>(i * side + j)] += tall;
    }
    std::transform(grey.begin(), grey.end(), example.bytes.begin(), to_byte);
    add_noise(example.bytes, noise_, draws);
  }

 private:
  static constexpr int side = 8;
  double noise_;
};

}  // namespace

std::unique_ptr<Generator> make_scenes(const SyntheticOptions& options, std::uint32_t) {
  return std::make_unique<Scenes>(options);
}
std::unique_ptr<Generator> make_gray8(const SyntheticOptions& options, std::uint32_t) {
  return std::make_unique<Gray8>(options);
}

}  // namespace logpx
