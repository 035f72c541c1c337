// Chances in whole numbers: ln(p / (1 - p)) and back, by tables that are the same on every machine,
// and chances that are learned.
#pragma once

#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

constexpr int one_nat = 256;  // of a logit
constexpr int most_logit = 12 * one_nat - 1;
constexpr int chance_bits = 16;  // a chance of one is that many bits, never 0

struct LogisticTables {
  LogisticTables();
  std::array<std::int16_t, 4096> logits;                    // of (i + 1/2) / 4096
  std::array<std::int16_t, 4096> small_logits;              // of (i + 1/2) / 65536
  std::array<std::uint16_t, 2 * (most_logit + 1)> chances;  // of logit i - most_logit - 1
};
extern const LogisticTables logistic;

inline int within_logits(int x) {
  return x > most_logit ? most_logit : x < -most_logit ? -most_logit : x;
}
// |x| <= most_logit
inline int chance_of(int x) { return logistic.chances.data()[x + most_logit + 1]; }
inline int logit_of(int chance) { return logistic.logits[static_cast<std::size_t>(chance >> 4)]; }
// With all 16 bits, where a chance is near 0 or 1.
inline int fine_logit_of(int chance) {
  if (chance < 4096) return logistic.small_logits[static_cast<std::size_t>(chance)];
  if (chance < 61440) return logit_of(chance);
  return -logistic.small_logits[static_cast<std::size_t>(65535 - chance)];
}

// A chance less one half, an input beside its logit: 0 where it says nothing.
inline int above_half(int chance) { return (chance - 32768) >> 6; }

// A chance that is learned: the mean of what it has seen at first, at a steady rate later.
//
//   p <- p + (bit - p) / (n + 3/2),  n = 0, 1, 2 ... 1022
//
// 22 bits of p above 10 of n. A chance with count 1023 never changes.

constexpr std::uint32_t last_count = 1022, fixed_count = 1023;

constexpr std::uint32_t chance_of_count(std::uint32_t chance, std::uint32_t count) {
  return chance << 10 | count;
}
// The chance of what has never been seen: one half.
constexpr std::uint32_t unknown_chance = chance_of_count(1u << 21, fixed_count);

}  // namespace logpx::codec::adaptive
