// What contexts of text have seen: words, what followed the same bytes before, lines and brackets.
#pragma once

#include "libcore/codec/adaptive/brackets.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace logpx::codec::adaptive {

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
