// A chance that is learned: the mean of what it has seen at first, at a steady rate later.
//
//   p <- p + (bit - p) / (n + 3/2),  n = 0, 1, 2 ... 1022
//
// 22 bits of p above 10 of n. A chance with count 1023 never changes.
#pragma once

#include <cstdint>

namespace logpx::codec::adaptive {

constexpr std::uint32_t last_count = 1022, fixed_count = 1023;

constexpr std::uint32_t chance_of_count(std::uint32_t chance, std::uint32_t count) {
  return chance << 10 | count;
}
// The chance of what has never been seen: one half.
constexpr std::uint32_t unknown_chance = chance_of_count(1u << 21, fixed_count);

}  // namespace logpx::codec::adaptive
