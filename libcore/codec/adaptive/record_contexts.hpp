// Contexts of records and programs: the last bytes with and without gaps, and, where rows are
// known, the column and the bytes above.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <cstdint>

namespace logpx::codec::adaptive {

template <Level level>
class RecordContexts {
 public:
  static constexpr int count = level == Level::best ? 25 : 15, first_seen = 0, last_seen = 15;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 160;
  static constexpr int rows = 256 * 16;

  explicit RecordContexts(const Form& form) : row_(form.row) {}

  void next_byte(const Past& past, std::uint8_t byte) {
    if (byte > ' ') {
      word_ = (word_ + byte) * 0x2F0B4C47u;
      word_ ^= word_ >> 15;
    } else if (word_ != 0) {
      before_ = word_;
      word_ = 0;
    }
    column_ = row_ == 0 ? 0 : static_cast<std::uint32_t>(past.position % row_);
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const auto at = [&](std::size_t distance) {
      return static_cast<std::uint64_t>(row_ == 0 ? 0 : past.back(distance));
    };
    const std::uint64_t c1 = past.last(1), c4 = past.last4;
    const std::uint64_t up = at(row_), up2 = at(2 * row_), up_next = at(row_ - 1);
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t value) { h[n] = hash_of(value, n), ++n; };
    add(0);
    add(c1);
    add(past.last(2));
    add(past.last(3));
    add(c4);
    add(c4 | (past.before4 & 0xffffull) << 32);
    add(c4 >> 8 & 0xff);
    add(c4 & 0xffff00);
    add(c4 & 0xff00ff);
    add(up | c1 << 8 | std::uint64_t{column_} << 16);
    add(up | up2 << 8);
    add(column_);
    add(up | c1 << 8 | up_next << 16);
    add(c1 | std::uint64_t{column_} << 8);
    add((std::uint64_t{word_} << 32 | before_) + c1 * 0x9E3779B97F4A7C15u);
    if constexpr (level == Level::best) {
      add(c4 >> 16 & 0xff);
      add(c4 >> 24 << 8 | c1);
      add(c4 | (past.before4 & 0xffull) << 32);
      add(c4 >> 24);
      add(up | at(row_ + 1) << 8 | up_next << 16);
      add(past.last(2) | up << 16);
      add(up | std::uint64_t{column_} << 8);
      add((past.before4 & 0xff) | c4 >> 24 << 8);
      add(c4 & 0xf0f0f0f0);
      add((up - up2 + 256) | c1 << 9);
    }
  }
  [[nodiscard]] int row(const Past& past, unsigned, int) const {
    return static_cast<int>(past.last(1) | std::min(15u, column_) << 8);
  }
  [[nodiscard]] std::uint32_t narrow(const Past& past) const { return past.last(1); }
  [[nodiscard]] std::uint32_t wide(const Past& past) const { return past.last(2); }

 private:
  std::uint32_t row_, column_ = 0, word_ = 0, before_ = 0;
};

}  // namespace logpx::codec::adaptive
