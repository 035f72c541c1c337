#include "libcore/data/ycocg.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::int32_t byte_levels = 256, difference_levels = 511, difference_offset = 255;

bool is_byte(std::int32_t value) { return value >= 0 && value < byte_levels; }

// R, G and B, which need not lie in 0..255.
std::array<std::int32_t, 3> unclamped_rgb(YCoCg colour) {
  const std::int32_t t = colour.y - (colour.cg >> 1), g = colour.cg + t;
  const std::int32_t b = t - (colour.co >> 1);
  return {colour.co + b, g, b};
}

using Levels = std::array<std::int32_t, 3>;

Levels levels_of(Rgb rgb, Transform transform) {
  if (transform == Transform::ycocg_lossy) {
    const std::array<double, 3> colour = lossy_ycocg(rgb);
    return {quantised(colour[0]), quantised(colour[1]), quantised(colour[2])};
  }
  const YCoCg colour = to_ycocg(rgb);
  return {colour.y, colour.co + difference_offset, colour.cg + difference_offset};
}

// In 0..255.
Levels nearest_rgb(const Levels& levels, Transform transform) {
  Levels rgb{};
  if (transform == Transform::ycocg_lossy) {
    const auto middle = [&](std::size_t i) { return (levels[i] + 0.5) / 128 - 1; };
    const double co = middle(1), cg = middle(2), t = (middle(0) + 1 - cg) / 2, b = t - co / 2;
    const auto byte = [](double value) {
      return static_cast<std::int32_t>(std::floor(value * (byte_levels - 1) + 0.5));
    };
    rgb = {byte(b + co), byte(cg + t), byte(b)};
  } else {
    rgb = unclamped_rgb({levels[0], levels[1] - difference_offset, levels[2] - difference_offset});
  }
  for (std::int32_t& value : rgb) value = std::clamp(value, 0, byte_levels - 1);
  return rgb;
}

template <typename T>
bool lacks_value(T value) {
  return !(value >= 0);
}

template <typename T>
bool holds_byte(T value) {
  return value >= 0 && value < byte_levels &&
         value == static_cast<T>(static_cast<std::int32_t>(value));
}

}  // namespace

// Shifts of negative numbers round down.
YCoCg to_ycocg(Rgb rgb) {
  const std::int32_t r = rgb[0], g = rgb[1], b = rgb[2];
  const std::int32_t co = r - b, t = b + (co >> 1), cg = g - t;
  return {t + (cg >> 1), co, cg};
}

std::optional<Rgb> rgb_of(YCoCg colour) {
  Rgb rgb{};
  const std::array<std::int32_t, 3> numbers = unclamped_rgb(colour);
  if (!std::ranges::all_of(numbers, is_byte)) return std::nullopt;
  std::ranges::transform(numbers, rgb.begin(),
                         [](std::int32_t number) { return static_cast<std::uint8_t>(number); });
  return rgb;
}

std::array<double, 3> lossy_ycocg(Rgb rgb) {
  const double r = rgb[0] / 255.0, g = rgb[1] / 255.0, b = rgb[2] / 255.0;
  const double co = r - b, t = b + co / 2, cg = g - t;
  return {2 * t + cg - 1, co, cg};
}

std::uint8_t quantised(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::floor((value + 1) / 2 * 256), 0.0, 255.0));
}

const char* word_of(Transform transform) {
  switch (transform) {
    case Transform::ycocg_r: return "ycocg-r";
    case Transform::ycocg_lossy: return "ycocg-lossy";
    case Transform::none: break;
  }
  return "none";
}

template <typename T>
bool planes_to_ycocg(std::span<T> values, Transform transform) {
  const std::size_t pixels = values.size() / 3;
  for (std::size_t p = 0; p < pixels; ++p) {
    T &r = values[p], &g = values[pixels + p], &b = values[2 * pixels + p];
    if (lacks_value(r) && lacks_value(g) && lacks_value(b)) {
      r = g = b = -1;
      continue;
    }
    if (!holds_byte(r) || !holds_byte(g) || !holds_byte(b)) return false;
    const Levels levels = levels_of(
        {static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), static_cast<std::uint8_t>(b)},
        transform);
    r = static_cast<T>(levels[0]);
    g = static_cast<T>(levels[1]);
    b = static_cast<T>(levels[2]);
  }
  return true;
}

template <typename T>
void planes_to_rgb(std::span<T> values, Transform transform) {
  const std::size_t pixels = values.size() / 3;
  const auto number = [&](std::size_t i) { return static_cast<std::int32_t>(values[i]); };
  for (std::size_t p = 0; p < pixels; ++p) {
    const Levels rgb =
        nearest_rgb({number(p), number(pixels + p), number(2 * pixels + p)}, transform);
    for (std::size_t c = 0; c < rgb.size(); ++c) values[c * pixels + p] = static_cast<T>(rgb[c]);
  }
}

template bool planes_to_ycocg(std::span<float>, Transform);
template bool planes_to_ycocg(std::span<std::int32_t>, Transform);
template void planes_to_rgb(std::span<float>, Transform);
template void planes_to_rgb(std::span<std::int32_t>, Transform);

PictureSymbols::PictureSymbols(const std::vector<std::int64_t>& shape, std::int64_t levels,
                               Transform transform)
    : pixels_(0), channels_(0), levels_(levels), transform_(transform) {
  LOGPX_ASSERT(shape.size() == 3);
  pixels_ = static_cast<std::size_t>(shape[0] * shape[1]);
  channels_ = static_cast<std::size_t>(shape[2]);
  LOGPX_ASSERT(transform == Transform::none || (channels_ == 3 && levels == byte_levels));
}

std::int64_t PictureSymbols::levels(std::size_t symbol) const {
  if (transform_ == Transform::none) return levels_;
  return symbol < pixels_ || transform_ == Transform::ycocg_lossy ? byte_levels : difference_levels;
}

void PictureSymbols::from_item(std::span<const std::uint8_t> item,
                               std::span<std::uint32_t> symbols) const {
  LOGPX_ASSERT(item.size() == size() && symbols.size() == size());
  if (transform_ == Transform::none) {
    for (std::size_t i = 0; i < item.size(); ++i)
      symbols[i % channels_ * pixels_ + i / channels_] = item[i];
    return;
  }
  for (std::size_t p = 0; p < pixels_; ++p) {
    const Levels levels = levels_of({item[3 * p], item[3 * p + 1], item[3 * p + 2]}, transform_);
    for (std::size_t c = 0; c < levels.size(); ++c)
      symbols[c * pixels_ + p] = static_cast<std::uint32_t>(levels[c]);
  }
}

bool PictureSymbols::to_item(std::span<const std::uint32_t> symbols,
                             std::span<std::uint8_t> item) const {
  LOGPX_ASSERT(item.size() == size() && symbols.size() == size());
  LOGPX_ASSERT(transform_ != Transform::ycocg_lossy);
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (symbols[i] >= static_cast<std::uint32_t>(levels(i))) return false;
  if (transform_ == Transform::none) {
    for (std::size_t i = 0; i < item.size(); ++i)
      item[i] = static_cast<std::uint8_t>(symbols[i % channels_ * pixels_ + i / channels_]);
    return true;
  }
  const auto number = [&](std::size_t i) { return static_cast<std::int32_t>(symbols[i]); };
  for (std::size_t p = 0; p < pixels_; ++p) {
    const auto rgb = rgb_of({number(p), number(pixels_ + p) - difference_offset,
                             number(2 * pixels_ + p) - difference_offset});
    if (!rgb) return false;
    std::ranges::copy(*rgb, item.begin() + static_cast<std::ptrdiff_t>(3 * p));
  }
  return true;
}

}  // namespace logpx
