// A sample of a raster foretold by what lies around it: a sum whose weights follow each error
// (normalised least mean squares), and how far such sums have been off here.
//
//   f = m + sum_i w_i v_i,   w <- w + rate (x - f) v / (4 + |v|^2)
//
// Its bits then have the chances of a logistic distribution around f. All in whole numbers.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace logpx::codec::adaptive {

class PixelForecast {
 public:
  static constexpr int taps = 16, most_colours = 4, spreads = 16;
  using Taps = std::array<std::int32_t, taps>;

  // For rasters with `row` samples a row; each colour has weights of its own.
  explicit PixelForecast(std::uint32_t row, std::size_t colours = 3)
      : pixel_(colours), above_(std::max<std::size_t>(row, colours)) {
    for (Taps& weights : weights_) {
      weights = {};
      weights[0] = weights[1] = one / 4;
      weights[2] = -one / 4;
      weights[8] = one / 2;
    }
  }

  // Foretells the next sample from `middle` and from differences of samples around it to the middle
  // of their colour.
  void foretell(int colour, int middle, const Taps& around) {
    colour_ = colour;
    around_ = around;
    const Taps& weights = weights_[static_cast<std::size_t>(colour)];
    std::int32_t sum = 0, power = 0;
    for (std::size_t i = 0; i < taps; ++i) {
      sum += weights[i] * around[i];
      power += around[i] * around[i];
    }
    power_ = power;
    value_ = std::clamp(parts * middle + (sum >> 12), 0, 255 * parts);
    spread_ = spread_here();
    steepness_ = nats / mean_errors[static_cast<std::size_t>(spread_)];
  }
  void learn(std::uint8_t sample) {
    const std::int32_t error = parts * sample - value_;
    const std::int32_t scale = error * rate / (power_ + 64);
    Taps& weights = weights_[static_cast<std::size_t>(colour_)];
    for (std::size_t i = 0; i < taps; ++i) {
      const std::int32_t step = (around_[i] * scale + 128) >> 8;
      weights[i] = std::clamp(weights[i] + step, -most_weight, most_weight);
    }
    keep_error(std::abs(error));
  }
  // A sample that was not foretold, because it was known, of that colour.
  void pass(int colour) {
    colour_ = colour;
    keep_error(0);
  }

  [[nodiscard]] int value() const { return (value_ + parts / 2) / parts; }
  [[nodiscard]] int spread() const { return spread_; }  // a class of how far it may be off
  // The chance of a one after the bits of `whole` (1, then bits), which grows by a bit per call.
  [[nodiscard]] std::uint32_t chance(unsigned whole, int bit_number) {
    if (bit_number == 0) share_low_ = 0, share_high_ = all;
    else if ((whole & 1) != 0) share_low_ = share_middle_;
    else share_high_ = share_middle_;
    share_middle_ = share_below(static_cast<int>((2 * whole + 1) << (7 - bit_number) & 255));
    const std::uint64_t ones = share_high_ - share_middle_;
    const auto chance = static_cast<std::uint32_t>((ones << 22) / (share_high_ - share_low_));
    return chance_of_count(std::clamp(chance, 64u, (1u << 22) - 64), fixed_count);
  }

 private:
  static constexpr int parts = 16;  // of a step between two samples
  static constexpr std::int32_t one = 1 << 16, most_weight = 4 * one, rate = 30000;
  // Where the classes of spread end, in parts, and the mean error of each, in half parts.
  static constexpr std::array limits = {4, 6, 8, 11, 14, 18, 23, 29, 37, 47, 60, 75, 95, 125, 170};
  static constexpr std::array<int, spreads> mean_errors = {6,  10, 14,  19,  25,  32,  41,  52,
                                                           66, 84, 107, 135, 170, 220, 295, 450};
  static constexpr int nats = 181704;  // 2^16 * 4 ln 2
  static constexpr std::uint32_t all = 1 << 20;

  // How much of `all` lies below a sample; every sample keeps a little.
  [[nodiscard]] std::uint32_t share_below(int sample) const {
    const int logit = within_logits((parts * sample - parts / 2 - value_) * steepness_ >> 8);
    return static_cast<std::uint32_t>(15 * chance_of(logit) + 256 * sample);
  }
  // Keeps mean errors of this colour: of samples to the left, of which the last counts most, and of
  // those above, where each row counts twice as much as the one above it.
  void keep_error(int size) {
    int& left = left_[static_cast<std::size_t>(colour_)];
    left += (size - left) / 4;
    above_[x_] = static_cast<std::uint16_t>(above_[x_] + (size - above_[x_]) / 2);
    if (++x_ == above_.size()) x_ = 0;
  }
  [[nodiscard]] int spread_here() const {
    const std::size_t row = above_.size(), before = x_ < pixel_ ? x_ + row - pixel_ : x_ - pixel_,
                      behind = x_ + pixel_ < row ? x_ + pixel_ : x_ + pixel_ - row;
    const int mean =
        (left_[static_cast<std::size_t>(colour_)] + above_[before] + above_[x_] + above_[behind]) /
        4;
    int spread = 0;
    for (const int limit : limits) spread += mean > limit;
    return spread;
  }

  std::size_t pixel_;  // samples
  std::array<Taps, most_colours> weights_;
  Taps around_ = {};
  int colour_ = 0, spread_ = 0, steepness_ = 0;
  std::uint32_t share_low_ = 0, share_middle_ = 0, share_high_ = all;  // shares of the bits known
  std::int32_t value_ = 0, power_ = 0;
  std::array<int, most_colours> left_ = {};  // mean errors in parts
  std::vector<std::uint16_t> above_;
  std::size_t x_ = 0;
};

}  // namespace logpx::codec::adaptive
