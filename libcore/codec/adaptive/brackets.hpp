// What stood before the bracket that is open, and before the one that was just closed: code,
// formulas and markup go on from there.
#pragma once

#include "libcore/codec/adaptive/past.hpp"

#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

class Brackets {
 public:
  // After past.add(byte).
  void next_byte(const Past& past, std::uint8_t byte) {
    closed_ = 0;
    switch (byte) {
      case '(':
      case '[':
      case '{':
        if (depth_ < deepest) ++depth_;
        before_[depth_] = past.last(3) >> 8;
        break;
      case ')':
      case ']':
      case '}':
        closed_ = before_[depth_];
        if (depth_ > 0) --depth_;
        break;
      default: break;
    }
  }
  [[nodiscard]] std::uint64_t context() const {
    return std::uint64_t{depth_} << 32 | before_[depth_] << 16 | closed_;
  }

 private:
  static constexpr std::uint32_t deepest = 63;
  std::array<std::uint32_t, deepest + 1> before_ = {};  // two bytes, of each that is open
  std::uint32_t depth_ = 0, closed_ = 0;
};

}  // namespace logpx::codec::adaptive
