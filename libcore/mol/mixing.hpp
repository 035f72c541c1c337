// Scrambles the bits of a word: equal words stay equal, and others share nothing that shows.
#pragma once

#include <cstdint>

namespace logpx {

// The finaliser of splitmix64; 0 stays 0.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

}  // namespace logpx
