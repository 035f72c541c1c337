// Colours as one brightness and two differences, which depend on each other less than R, G and B.
// [data/README 2.4]
//
//   const YCoCg colour = to_ycocg({255, 0, 255});    // {127, 0, -255}
//   const std::optional<Rgb> back = rgb_of(colour);  // {255, 0, 255}
//   const PictureSymbols symbols({8, 8, 3}, 256, Transform::ycocg_r);
//   symbols.from_item(patch, x);                               // all Y, all Co, all Cg
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

using Rgb = std::array<std::uint8_t, 3>;

// YCoCg-R: y in 0..255, co and cg in -255..255. Nothing is lost.
struct YCoCg {
  std::int32_t y = 0, co = 0, cg = 0;
  friend bool operator==(const YCoCg&, const YCoCg&) = default;
};
[[nodiscard]] YCoCg to_ycocg(Rgb rgb);
[[nodiscard]] std::optional<Rgb> rgb_of(YCoCg colour);  // nothing where it is no RGB colour

// y, co and cg as real numbers in [-1, 1], and each of them as one of 256 levels.
[[nodiscard]] std::array<double, 3> lossy_ycocg(Rgb rgb);
[[nodiscard]] std::uint8_t quantised(double value);

// How a model changes the bytes of a picture before it reads them.
enum class Transform { none, ycocg_r, ycocg_lossy };
[[nodiscard]] const char* word_of(Transform transform);  // "ycocg-r"

// Values of a picture with channels first, [3, pixels]: R, G and B to y, co + 255 and cg + 255, or
// to their levels with loss, in place. A pixel that lacks all three (-1, or not a number) becomes
// -1, -1, -1. False where a pixel lacks only some of them, or holds what is no byte.
template <typename T>  // float or std::int32_t
[[nodiscard]] bool planes_to_ycocg(std::span<T> values, Transform transform);
// And back, of levels with loss from their middles. Where a triple is no RGB colour, each of R, G
// and B is brought into 0..255.
template <typename T>
void planes_to_rgb(std::span<T> values, Transform transform);

// A picture [height, width, channels] of bytes as symbols from 0, channel after channel and row by
// row in each.
class PictureSymbols {
 public:
  // `levels` of the bytes; ycocg_r needs three channels of 256.
  PictureSymbols(const std::vector<std::int64_t>& shape, std::int64_t levels, Transform transform);
  [[nodiscard]] std::size_t size() const { return pixels_ * channels_; }
  // The alphabet of a symbol: 256, 511 and 511 by channel after ycocg_r, 256 after ycocg_lossy.
  [[nodiscard]] std::int64_t levels(std::size_t symbol) const;
  void from_item(std::span<const std::uint8_t> item, std::span<std::uint32_t> symbols) const;
  // False where no picture has these symbols. Not for ycocg_lossy, of which many have them.
  [[nodiscard]] bool to_item(std::span<const std::uint32_t> symbols,
                             std::span<std::uint8_t> item) const;

 private:
  std::size_t pixels_, channels_;
  std::int64_t levels_;
  Transform transform_;
};

}  // namespace logpx
