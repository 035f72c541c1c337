// The chances of the bits of a number, the highest first, by a logistic distribution around a
// forecast: each bit halves the range in which the number lies. Every number keeps a little.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

// 1 / (1 + e^-x) with more bits than other chances have: what lies far from a forecast is as likely
// as its distance says.
struct FineChances {
  static constexpr int bits = 22;
  FineChances();
  std::array<std::uint32_t, 2 * (most_logit + 1)> of_logit;  // i - most_logit - 1
};
extern const FineChances fine_chances;

class ForecastChance {
 public:
  // A number of `bits` bits, at most 24, comes next.
  void begin(double centre, double spread, int bits) {
    centre_ = centre + 0.5;
    steepness_ = one_nat / spread;
    low_ = 0;
    half_ = 1u << bits;
    share_low_ = 0;
    share_high_ = all;
    even_shift_ = all_bits - even_part - bits;
  }
  // The chance, in 22 bits, that the next bit is a one.
  [[nodiscard]] std::uint32_t next() {
    half_ /= 2;
    share_middle_ = std::clamp(share_below(low_ + half_), share_low_, share_high_);
    const std::uint64_t ones = share_high_ - share_middle_, both = share_high_ - share_low_;
    const std::uint64_t chance = both == 0 ? 1u << 21 : (ones << 22) / both;
    return std::clamp(static_cast<std::uint32_t>(chance), 64u, (1u << 22) - 64);
  }
  void learn(int bit) {
    if (bit == 0) {
      share_high_ = share_middle_;
    } else {
      low_ += half_;
      share_low_ = share_middle_;
    }
  }

 private:
  static constexpr int all_bits = 40, even_part = 10;  // a share of 2^-10 is the same for all
  static constexpr std::uint64_t all = std::uint64_t{1} << all_bits;

  // How much of `all` lies below a number.
  [[nodiscard]] std::uint64_t share_below(std::uint32_t number) const {
    constexpr double most = most_logit;
    const double logit = (static_cast<double>(number) - centre_) * steepness_;
    const auto whole = static_cast<int>(std::min(most, std::max(-most, logit)));
    const std::uint64_t chance = fine_chances.of_logit.data()[whole + most_logit + 1];
    return chance * ((all - (all >> even_part)) >> FineChances::bits) +
           (std::uint64_t{number} << even_shift_);
  }

  double centre_ = 0, steepness_ = 1;
  std::uint32_t low_ = 0, half_ = 0;
  int even_shift_ = 0;
  std::uint64_t share_low_ = 0, share_middle_ = 0, share_high_ = all;
};

}  // namespace logpx::codec::adaptive
