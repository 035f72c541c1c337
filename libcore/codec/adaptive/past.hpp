// What has been coded of a block, as its contexts see it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace logpx::codec::adaptive {

struct Past {
  std::uint8_t* now = nullptr;  // where the next byte goes; zeros lie before the first
  std::size_t position = 0;
  std::uint32_t last4 = 0, before4 = 0;  // the last four bytes, and the four before them

  // In the narrowest rows, what lies up and to the right has not come yet: less than nothing back.
  [[nodiscard]] const std::uint8_t* before(std::size_t distance) const {
    return now - static_cast<std::ptrdiff_t>(distance);
  }
  [[nodiscard]] int back(std::size_t distance) const { return *before(distance); }
  void add(std::uint8_t byte) {
    ++now;
    ++position;
    before4 = before4 << 8 | last4 >> 24;
    last4 = last4 << 8 | byte;
  }
  [[nodiscard]] std::uint32_t last(int bytes) const {
    return bytes == 4 ? last4 : last4 & ((1u << 8 * bytes) - 1);
  }
};

// The hash of a context's value and number, by which its histories are found.
inline std::uint32_t hash_of(std::uint64_t value, std::uint32_t number) {
  std::uint64_t x = (value + number * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u;
  x ^= x >> 32;
  return static_cast<std::uint32_t>(x * 0xC2B2AE3D27D4EB4Fu >> 32);
}
// The same for its second half byte, when the first is known.
inline std::uint32_t hash_of_half(std::uint32_t hash, std::uint32_t half) {
  return static_cast<std::uint32_t>((hash + half * 0x9E3779B97F4A7C15u) * 0xC2B2AE3D27D4EB4Fu >>
                                    32);
}

// What stood before the bracket that is open, and before the one that was just closed: code,
// formulas and markup go on from there.
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

// What contexts of text have seen: words, what followed the same bytes before, lines and brackets.
class TextPast {
 public:
  TextPast() : followers_(256 + 65536) {}

  void next_byte(const Past& past, std::uint8_t byte) {
    followers_[past.last(2) >> 8] = followers_[past.last(2) >> 8] << 8 | byte;
    std::uint32_t& pair = followers_[256 + (past.last(3) >> 8)];
    pair = pair << 8 | byte;
    const auto lower = static_cast<std::uint8_t>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
    if ((lower >= 'a' && lower <= 'z') || lower >= 128) {
      word_ = (word_ + lower) * 0x2F0B4C47u;
      word_ ^= word_ >> 15;
    } else if (word_ != 0) {
      before2_ = before1_;
      before1_ = word_;
      word_ = 0;
    }
    brackets_.next_byte(past, byte);
    if (byte == '\n') {
      above_ = line_;
      line_ = past.position;
    }
  }

  // This word as far as it is known, and the two before it.
  [[nodiscard]] std::uint64_t word() const { return word_; }
  [[nodiscard]] std::uint64_t before1() const { return before1_; }
  [[nodiscard]] std::uint64_t before2() const { return before2_; }
  // The last four bytes that followed the last byte, and those that followed the last two.
  [[nodiscard]] std::uint64_t after1(const Past& past) const { return followers_[past.last(1)]; }
  [[nodiscard]] std::uint64_t after2(const Past& past) const {
    return followers_[256 + past.last(2)];
  }
  [[nodiscard]] std::size_t column(const Past& past) const {
    return std::min<std::size_t>(past.position - line_, 255);
  }
  // The byte of the line above in the same column.
  [[nodiscard]] std::uint64_t over(const Past& past) const {
    const std::size_t place = above_ + column(past);
    return static_cast<std::uint64_t>(place < line_ ? past.back(past.position - place) : 0);
  }
  [[nodiscard]] std::uint64_t bracket() const { return brackets_.context(); }

 private:
  std::vector<std::uint32_t> followers_;  // of each byte, then of each pair
  Brackets brackets_;
  std::uint32_t word_ = 0, before1_ = 0, before2_ = 0;
  std::size_t line_ = 0, above_ = 0;  // where this line begins, and the one before
};

}  // namespace logpx::codec::adaptive
