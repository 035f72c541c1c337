// Contexts of programs for AArch64, whose instructions of four bytes come with the highest one
// first: the last bytes as of records of four, what is known of the instruction, and what those
// before it do.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

template <Level level>
class ArmContexts {
 public:
  static constexpr int count = level == Level::best ? 22 : 15, first_seen = 0, last_seen = 15;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 160;
  static constexpr int rows = 4 * 256;

  explicit ArmContexts(const Form&) {}

  void next_byte(const Past& past, std::uint8_t byte) {
    known_ = known_ << 8 | byte;
    if (++place_ < 4) return;
    words_ = {past.last4, words_[0]};
    operations_ = {operation_of(past.last4), operations_[0], operations_[1]};
    known_ = 1;
    place_ = 0;
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const std::uint64_t c1 = past.last(1), c4 = past.last4, column = place_;
    const auto up = static_cast<std::uint64_t>(past.back(4)),
               up2 = static_cast<std::uint64_t>(past.back(8));
    const std::uint64_t now = known_ * factor, after1 = (now + operations_[0]) * factor,
                        after2 = (after1 + operations_[1]) * factor;
    const std::uint32_t w1 = words_[0], w2 = words_[1];
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t value) { h[n] = hash_of(value, n), ++n; };
    add(past.last(2));
    add(c4 >> 8 & 0xff);
    add(c4 & 0xffff00);
    add(c4 & 0xff00ff);
    add(up | up2 << 8);
    add(column);
    add(c1 | column << 8);
    add(now);
    add(after1);
    add(after2);
    add(after2 + operations_[2]);
    add((now + w1) * factor + operations_[1]);
    add(now + (w1 & 31) + ((w2 & 31) << 5));
    add(column | (w1 >> 24 << 8) | (w2 >> 24 << 16) | std::uint64_t{operations_[2] >> 3} << 24);
    add(now + w2);
    if constexpr (level == Level::best) {
      add(c4);
      add(c4 | (past.before4 & 0xffffull) << 32);
      add(up | c1 << 8 | column << 16);
      add(now + w1);
      add((now + w1) * factor + w2);
      add(now + (w1 & 1023));
      add(now + operations_[1]);
    }
  }
  // By the highest byte of this instruction, or the last one.
  [[nodiscard]] int row(const Past&, unsigned, int) const {
    const std::uint32_t highest = place_ > 0 ? known_ >> 8 * (place_ - 1) & 255 : words_[0] >> 24;
    return static_cast<int>(highest | place_ << 8);
  }
  [[nodiscard]] std::uint32_t narrow(const Past& past) const { return past.last(1); }
  [[nodiscard]] std::uint32_t wide(const Past& past) const { return past.last(2); }

 private:
  static constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;

  // An instruction without what it reaches or, mostly, which registers it works on.
  static std::uint32_t operation_of(std::uint32_t word) {
    if ((word & 0x7c000000) == 0x14000000) return word >> 26 << 5;
    return ((word & 0x1f000000) == 0x10000000 ? word & 0x9f000000 : word) >> 21;
  }

  std::uint32_t known_ = 1, place_ = 0;  // of the instruction
  std::array<std::uint32_t, 2> words_ = {};
  std::array<std::uint32_t, 3> operations_ = {};
};

}  // namespace logpx::codec::adaptive
