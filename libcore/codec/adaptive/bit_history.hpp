// What a context has seen, in a byte: how many zeros and ones, both bounded, and which came last.
// A count is worth less when the other bit turns up, so a history leans to what is recent.
#pragma once

#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

constexpr int longest_run = 48;  // the most equal bits in a row that a history counts

struct BitHistories {
  BitHistories();

  // Histories are numbered by how much they have seen; 0 has seen nothing.
  std::array<std::array<std::uint8_t, 256>, 2> next;  // [bit][history]
  std::array<std::uint32_t, 256> chance;              // (ones + 0.4) / (all + 0.8), in 22 bits
  std::array<std::array<std::uint8_t, longest_run + 1>, 2> run;  // [bit][seen how often, alone]
  int count = 0;
};
extern const BitHistories bit_histories;

}  // namespace logpx::codec::adaptive
