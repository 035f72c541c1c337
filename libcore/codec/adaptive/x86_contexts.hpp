// Contexts of programs for x86-64: the last bytes as of records of four, and what is known of the
// instruction and of those before it.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/x86_walk.hpp"

#include <cstdint>

namespace logpx::codec::adaptive {

template <Level level>
class X86Contexts {
 public:
  static constexpr int count = level == Level::best ? 24 : 15, first_seen = 0, last_seen = 15;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 160;
  static constexpr int rows = X86Walk::kinds_of_places * 256;

  explicit X86Contexts(const Form&) {}

  void next_byte(const Past&, std::uint8_t byte) { walk_.next_byte(byte); }

  void hashes(const Past& past, std::uint32_t* h) const {
    const std::uint64_t c1 = past.last(1), c4 = past.last4, column = past.position & 3;
    const auto up = static_cast<std::uint64_t>(past.back(4)),
               up2 = static_cast<std::uint64_t>(past.back(8));
    const std::uint64_t bytes = walk_.bytes() * factor, now = walk_.instruction(),
                        after1 = now * factor + walk_.before(0),
                        after2 = after1 * factor + walk_.before(1),
                        after3 = after2 * factor + walk_.before(2);
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t value) { h[n] = hash_of(value, n), ++n; };
    add(0);
    add(past.last(2));
    add(past.last(3));
    add(c4);
    add(c4 | (past.before4 & 0xffffull) << 32);
    add(c4 & 0xffff00);
    add(up | c1 << 8 | column << 16);
    add(up | up2 << 8);
    add(column);
    add(c1 | column << 8);
    add(now);
    add(walk_.place() | std::uint64_t{walk_.bytes()} << 8);
    add(after2);
    add(after3 + bytes);
    add(after1 + bytes);
    if constexpr (level == Level::best) {
      add(c1);
      add(c4 >> 8 & 0xff);
      add(c4 & 0xff00ff);
      add(c4 | (past.before4 & 0xffull) << 32);
      add(c4 >> 24 << 8 | c1);
      add(after1);
      add(now + bytes);
      add(after2 + bytes);
      add(after3 * factor + c1);
    }
  }
  [[nodiscard]] int row(const Past& past, unsigned, int) const {
    return static_cast<int>(past.last(1) | walk_.kind_of_place() << 8);
  }
  [[nodiscard]] std::uint32_t narrow(const Past&) const { return walk_.place(); }
  [[nodiscard]] std::uint32_t wide(const Past& past) const { return past.last(2); }

 private:
  static constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;

  X86Walk walk_;
};

}  // namespace logpx::codec::adaptive
