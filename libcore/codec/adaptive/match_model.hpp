// The longest repeat: where the last six bytes stood before, what followed there is likely to
// follow again, the more so the longer the repeat has been.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <array>

namespace logpx::codec::adaptive {

class MatchModel {
 public:
  static constexpr int lengths = 32;  // how many classes

  // `places`: the size of its table, a power of two.
  explicit MatchModel(std::size_t places)
      : lines_(places / per_line), room_(lines_ * per_line * 4) {
    for (std::size_t i = 0; i < lengths; ++i)
      for (const std::size_t bit : {0, 1}) {
        const auto miss = static_cast<std::uint32_t>((1u << 22) / (i + 2));
        chances_[2 * i + bit] = chance_of_count(bit ? (1u << 22) - miss : miss, 1);
      }
  }

  // After past.add(byte).
  void next_byte(const Past& past, std::uint8_t byte) {
    if (length_ > 0 && *(past.now - (past.position - place_)) == byte) {
      if (length_ < longest) ++length_;
      ++place_;
    } else {
      length_ = 0;
    }
    class_ = class_of_length();
    std::uint32_t& place = places()[line_ * per_line + slot_of(byte)];
    if (length_ == 0 && place != 0) look_back(past, place);
    place = static_cast<std::uint32_t>(past.position);
    line_ = (past.last4 | (past.before4 & 255ull) << 32) * 0x9E3779B97F4A7C15u >> 40 & (lines_ - 1);
    __builtin_prefetch(places() + line_ * per_line, 1);
  }
  // Which bit is expected after the bits of `node` (1, then bits); -1: none.
  [[nodiscard]] int expected(const Past& past, unsigned node, int bit_number) const {
    if (length_ == 0) return -1;
    const unsigned byte = 256u | *(past.now - (past.position - place_));
    return byte >> (8 - bit_number) == node ? static_cast<int>(byte >> (7 - bit_number) & 1) : -1;
  }
  // From 1 to 4. There must be a repeat.
  [[nodiscard]] int length_class() const {
    return length_ < 12 ? 1 : length_ < 20 ? 2 : length_ < 32 ? 3 : 4;
  }
  // The chance of a one where `bit` is expected. The caller updates it, until the next byte.
  [[nodiscard]] std::uint32_t& chance(int bit) { return chances_.data()[2 * class_ + bit]; }

 private:
  static constexpr std::size_t per_line = 16;
  static constexpr std::uint32_t longest = 65535, least = 6, most_compared = 400;

  [[nodiscard]] std::uint32_t* places() const {
    return reinterpret_cast<std::uint32_t*>(room_.data());
  }
  [[nodiscard]] int class_of_length() const {
    if (length_ < 16) return static_cast<int>(length_);
    if (length_ < 32) return static_cast<int>(16 + (length_ - 16) / 4);
    if (length_ < 64) return static_cast<int>(20 + (length_ - 32) / 8);
    return static_cast<int>(length_ < 512 ? 24 + (length_ - 64) / 64 : 31);
  }
  static std::size_t slot_of(std::uint8_t byte) { return (byte ^ byte >> 4) & 15; }
  void look_back(const Past& past, std::uint32_t place) {
    const std::size_t distance = past.position - place;
    const std::uint32_t most = place < most_compared ? place : most_compared;
    std::uint32_t n = 0;
    while (n < most && past.back(n + 1) == past.back(distance + n + 1)) ++n;
    if (n < least) return;
    length_ = n;
    class_ = class_of_length();
    place_ = place;
  }

  std::size_t lines_;
  Room room_;
  std::uint64_t line_ = 0;
  int class_ = 0;
  std::uint32_t length_ = 0, place_ = 0;
  std::array<std::uint32_t, 2 * lengths> chances_;
};

}  // namespace logpx::codec::adaptive
