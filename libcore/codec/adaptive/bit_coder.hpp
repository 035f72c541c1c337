// Bits to bytes and back, each at the cost of its chance: an interval of 32 bits is split in the
// proportion of the chances, and its leading bytes go out as soon as both ends agree on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace logpx::codec::adaptive {

// Where the part of a one ends; chances have 16 bits and are never 0.
inline std::uint32_t split(std::uint32_t low, std::uint32_t high, std::uint32_t chance) {
  return low + static_cast<std::uint32_t>(std::uint64_t{high - low} * chance >> 16);
}

class BitEncoder {
 public:
  void code(int bit, std::uint32_t chance) {
    const std::uint32_t middle = split(low_, high_, chance);
    low_ = bit ? low_ : middle + 1;
    high_ = bit ? middle : high_;
    while ((low_ ^ high_) >> 24 == 0) {
      bytes_.push_back(static_cast<std::byte>(high_ >> 24));
      low_ <<= 8;
      high_ = high_ << 8 | 255;
    }
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  // The shortest end; zeros are understood to follow.
  [[nodiscard]] std::vector<std::byte> finish() {
    for (int shift = 24; low_ != 0; shift -= 8) {
      const std::uint32_t unit = 1u << shift, up = (low_ + (unit - 1)) & ~(unit - 1);
      if (up < low_ || up > high_) continue;
      for (int s = 24; s >= shift; s -= 8) bytes_.push_back(static_cast<std::byte>(up >> s));
      break;
    }
    return std::move(bytes_);
  }

 private:
  std::uint32_t low_ = 0, high_ = 0xffffffff;
  std::vector<std::byte> bytes_;
};

class BitDecoder {
 public:
  explicit BitDecoder(std::span<const std::byte> bytes) : left_(bytes) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8 | next();
  }
  [[nodiscard]] int code(std::uint32_t chance) {
    const std::uint32_t middle = split(low_, high_, chance);
    const int bit = code_ <= middle;
    low_ = bit ? low_ : middle + 1;
    high_ = bit ? middle : high_;
    while ((low_ ^ high_) >> 24 == 0) {
      low_ <<= 8;
      high_ = high_ << 8 | 255;
      code_ = code_ << 8 | next();
    }
    return bit;
  }

 private:
  std::uint32_t next() {
    if (left_.empty()) return 0;
    const auto byte = std::to_integer<std::uint32_t>(left_.front());
    left_ = left_.subspan(1);
    return byte;
  }
  std::span<const std::byte> left_;
  std::uint32_t low_ = 0, high_ = 0xffffffff, code_ = 0;
};

}  // namespace logpx::codec::adaptive
