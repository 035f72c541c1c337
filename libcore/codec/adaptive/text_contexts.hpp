// Contexts of text: the last bytes, words, what followed the same bytes before, the line above, and
// the brackets around.
#pragma once

#include "libcore/codec/adaptive/brackets.hpp"
#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace logpx::codec::adaptive {

enum class Nesting { unseen, seen };  // unseen: as blocks were coded up to format 2.1

template <Level level, Nesting nesting = Nesting::seen>
class TextContexts {
  static constexpr bool nested = nesting == Nesting::seen;

 public:
  static constexpr int count = (level == Level::best ? 22 : 14) + (nested ? 1 : 0);
  static constexpr int first_seen = 2, last_seen = 7;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 60;
  static constexpr int rows = 256;  // of the set of weights that is chosen by what lies around

  explicit TextContexts(const Form&) : followers_(256 + 65536) {}

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
    if constexpr (nested) brackets_.next_byte(past, byte);
    if (byte == '\n') {
      above_ = line_;
      line_ = past.position;
    }
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const std::uint32_t c1 = past.last(1);
    const std::uint64_t word = word_;
    const std::size_t column = std::min<std::size_t>(past.position - line_, 255);
    const auto over = static_cast<std::uint64_t>(
        above_ + column < line_ ? past.back(past.position - above_ - column) : 0);
    const std::uint64_t order6 = past.last4 | (past.before4 & 0xffffull) << 32,
                        order8 = past.last4 | std::uint64_t{past.before4} << 32;
    const std::uint64_t after1 = followers_[c1], after2 = followers_[256 + past.last(2)];
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t value) { h[n] = hash_of(value, n), ++n; };
    add(0);
    add(c1);
    add(past.last(2));
    add(past.last(3));
    add(past.last4);
    add(past.last4 | (past.before4 & 0xffull) << 32);
    add(nested && level == Level::normal ? order8 : order6);
    add(word << 8 | c1);
    add(word << 32 | before1_);
    add((word << 32) + before2_ * std::uint64_t{0x9E3779B97F4A7C15u});
    add(past.last4 & 0xffff00);
    add(over | column << 8);
    add(after1 << 8 | c1);
    add((after2 & 0xffffff) << 8 | c1);
    if constexpr (nested) add(brackets_.context() << 8 | c1);
    if constexpr (level == Level::best) {
      add(order8);
      add((word << 32 | before1_) + before2_ * std::uint64_t{0x9E3779B97F4A7C15u});
      add(over << 8 | c1);
      add(past.last4 & 0xf0f0f0ff);
      add(std::uint64_t{before1_} << 8 | c1);
      add(past.last4 & 0xff00ff00);
      add(after2 << 32 | after1);
      add(word << 8 | past.last(2) >> 8);
    }
  }
  [[nodiscard]] int row(const Past& past, unsigned, int) const {
    return static_cast<int>(past.last(1));
  }
  [[nodiscard]] std::uint32_t narrow(const Past& past) const { return past.last(1); }
  [[nodiscard]] std::uint32_t wide(const Past& past) const { return past.last(2); }

 private:
  std::vector<std::uint32_t> followers_;  // of each byte, then of each pair: the last four
  Brackets brackets_;
  std::uint32_t word_ = 0, before1_ = 0, before2_ = 0;
  std::size_t line_ = 0, above_ = 0;  // where this line begins, and the one before
};

}  // namespace logpx::codec::adaptive
