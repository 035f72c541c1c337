// Contexts of text: the last bytes, words, what followed the same bytes before, the line above, and
// the brackets around.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <cstdint>

namespace logpx::codec::adaptive {

template <Level level>
class TextContexts {
  static constexpr bool best = level == Level::best;

 public:
  static constexpr int count = best ? 23 : 15;
  static constexpr int first_seen = best ? 8 : 6, last_seen = first_seen + 5;
  static constexpr int first_rare = first_seen + 2;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 30, early_rate = 768;
  static constexpr int rows = 256, other_rows = 512;
  static constexpr bool reads_first_text = true;

  explicit TextContexts(const Form&) {}

  void next_byte(const Past& past, std::uint8_t byte) {
    text_.next_byte(past, byte);
    classes_ = classes_ << 3 | class_of(byte);
    other_row_ = row_of_classes();
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const std::uint64_t c1 = past.last(1), c4 = past.last4;
    const std::uint64_t order8 = c4 | std::uint64_t{past.before4} << 32;
    const std::uint64_t word = text_.word(), before1 = text_.before1(), before2 = text_.before2();
    const std::uint64_t over = text_.over(past), column = text_.column(past);
    const std::uint64_t after1 = text_.after1(past), after2 = text_.after2(past);
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t value) { h[n] = hash_of(value, n), ++n; };
    add(0);
    add(c1);
    add(c4 & 0xffff00);
    add(over | column << 8);
    add(text_.bracket() << 8 | c1);
    add(word << 8 | c1);
    if constexpr (best) {
      add(over << 8 | c1);
      add(c4 & 0xf0f0f0ff);
    }
    add(past.last(2));
    add(past.last(3));
    add(c4);
    add(order8 & 0xffffffffff);
    add(best ? order8 & 0xffffffffffff : order8);
    add(word << 32 | before1);
    add((word << 32) + before2 * factor);
    add(after1 << 8 | c1);
    add((after2 & 0xffffff) << 8 | c1);
    if constexpr (best) {
      add(order8);
      add((word << 32 | before1) + before2 * factor);
      add(before1 << 8 | c1);
      add(c4 & 0xff00ff00);
      add(after2 << 32 | after1);
      add(word << 8 | past.last(2) >> 8);
    }
  }
  [[nodiscard]] int row(const Past& past, unsigned, int) const {
    return static_cast<int>(past.last(1));
  }
  [[nodiscard]] int other_row(unsigned) const { return other_row_; }
  [[nodiscard]] std::uint32_t narrow(const Past& past) const { return past.last(1); }
  [[nodiscard]] std::uint32_t wide(const Past& past) const { return past.last(2); }

 private:
  static constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;

  static std::uint32_t class_of(std::uint8_t byte) {
    switch (byte) {
      case ' ': return 0;
      case 'a':
      case 'e':
      case 'i':
      case 'o':
      case 'u': return 1;
      case '\n': return 4;
      default: break;
    }
    if (byte >= 'a' && byte <= 'z') return 2;
    if (byte >= 'A' && byte <= 'Z') return 3;
    if (byte >= '0' && byte <= '9') return 5;
    return byte >= 128 ? 6 : 7;
  }

  // The classes of the last four bytes; for the three before the last, classes from 3 on are one.
  [[nodiscard]] int row_of_classes() const {
    std::uint32_t row = classes_ & 7;
    for (int back = 1; back < 4; ++back)
      row |= std::min(classes_ >> 3 * back & 7, 3u) << (1 + 2 * back);
    return static_cast<int>(row);
  }

  TextPast text_;
  std::uint32_t classes_ = 0;  // of the bytes before, three bits each
  int other_row_ = 0;
};

}  // namespace logpx::codec::adaptive
