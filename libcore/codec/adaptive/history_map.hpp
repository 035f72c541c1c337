// What each history has come to mean in one context: the chance of a one, learned in the mean while
// a history is rare and at a steady rate later.
//
//   p <- p + (bit - p) / (n + 3/2),  n = 1, 2, ... most
#pragma once

#include "libcore/codec/adaptive/bit_history.hpp"

#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

// A chance of 22 bits above a count of 10.
class CountedChance {
 public:
  CountedChance() = default;
  CountedChance(std::uint32_t chance, std::uint32_t count) : bits_(chance << 10 | count) {}

  [[nodiscard]] int chance() const { return static_cast<int>(bits_ >> 16); }  // of 16 bits
  void learn(int bit, std::uint32_t most) {
    const std::uint32_t n = bits_ & 1023;
    const std::int64_t error = (std::int64_t{bit} << 22) - (bits_ >> 10);
    const auto step = static_cast<std::int32_t>(error * shares()[n] >> 16);
    bits_ = ((bits_ >> 10) + static_cast<std::uint32_t>(step)) << 10 | (n < most ? n + 1 : n);
  }

 private:
  static const std::array<std::uint16_t, 1024>& shares() {
    static constexpr auto table = [] {
      std::array<std::uint16_t, 1024> of{};
      for (std::uint32_t n = 0; n < 1024; ++n)
        of[n] = static_cast<std::uint16_t>(131072 / (2 * n + 3));
      return of;
    }();
    return table;
  }
  std::uint32_t bits_ = 1u << 31;
};

class HistoryMap {
 public:
  HistoryMap() {
    for (std::size_t i = 0; i < 256; ++i) of_[i] = {bit_histories.chance[i], first_count};
  }
  [[nodiscard]] int chance(std::uint8_t history) const { return of_[history].chance(); }
  void learn(std::uint8_t history, int bit) { of_[history].learn(bit, most); }

 private:
  static constexpr std::uint32_t first_count = 4, most = 1023;
  std::array<CountedChance, 256> of_;
};

}  // namespace logpx::codec::adaptive
