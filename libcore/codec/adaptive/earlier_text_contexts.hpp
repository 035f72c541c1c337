// The contexts of text that blocks were coded with up to format 2.3, and up to 2.1 without those of
// brackets.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <cstdint>

namespace logpx::codec::adaptive {

enum class Nesting { unseen, seen };

template <Level level, Nesting nesting>
class EarlierTextContexts {
  static constexpr bool nested = nesting == Nesting::seen;

 public:
  static constexpr int count = (level == Level::best ? 22 : 14) + (nested ? 1 : 0);
  static constexpr int first_seen = 2, last_seen = 7;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 60;
  static constexpr int rows = 256;

  explicit EarlierTextContexts(const Form&) {}

  void next_byte(const Past& past, std::uint8_t byte) { text_.next_byte(past, byte); }

  void hashes(const Past& past, std::uint32_t* h) const {
    const std::uint32_t c1 = past.last(1);
    const std::uint64_t word = text_.word(), before1 = text_.before1(), before2 = text_.before2();
    const std::uint64_t over = text_.over(past), column = text_.column(past);
    const std::uint64_t order6 = past.last4 | (past.before4 & 0xffffull) << 32,
                        order8 = past.last4 | std::uint64_t{past.before4} << 32;
    const std::uint64_t after1 = text_.after1(past), after2 = text_.after2(past);
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
    add(word << 32 | before1);
    add((word << 32) + before2 * 0x9E3779B97F4A7C15u);
    add(past.last4 & 0xffff00);
    add(over | column << 8);
    add(after1 << 8 | c1);
    add((after2 & 0xffffff) << 8 | c1);
    if constexpr (nested) add(text_.bracket() << 8 | c1);
    if constexpr (level == Level::best) {
      add(order8);
      add((word << 32 | before1) + before2 * 0x9E3779B97F4A7C15u);
      add(over << 8 | c1);
      add(past.last4 & 0xf0f0f0ff);
      add(before1 << 8 | c1);
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
  TextPast text_;
};

}  // namespace logpx::codec::adaptive
