// What a class of contexts need not define, and the defaults.
#pragma once

#include "libcore/codec/adaptive/chance.hpp"

#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

// The first of the rare contexts, most of whose values come once; all after it are rare, too.
template <typename Contexts>
constexpr int first_rare_of() {
  if constexpr (requires { Contexts::first_rare; }) return Contexts::first_rare;
  else return Contexts::count;
}

// The rate at which weights begin to learn, beside that at which they go on.
template <typename Contexts>
constexpr int early_rate_of() {
  if constexpr (requires { Contexts::early_rate; }) return Contexts::early_rate;
  else return 384;
}

// Whether the contexts forecast a chance themselves.
template <typename Contexts>
constexpr bool foretells = requires(Contexts& c) {
  c.chance(1u, 0);
};
template <typename Contexts>
std::uint32_t chance_by_kind(Contexts& contexts, unsigned whole, int bit_number) {
  if constexpr (foretells<Contexts>) return contexts.chance(whole, bit_number);
  else return unknown_chance;
}

// Whether the neighbourhood chooses a second set of weights.
template <typename Contexts>
constexpr bool looks_twice = requires {
  Contexts::other_rows;
};

// The number of rows of each set of weights: by the repeat that foretells the bit, by the bits of
// this byte, and by the neighbourhood.
template <typename Contexts>
constexpr auto rows_of_sets(int by_repeat) {
  if constexpr (looks_twice<Contexts>)
    return std::array{by_repeat, 256, Contexts::rows, Contexts::other_rows};
  else return std::array{by_repeat, 256, Contexts::rows};
}

}  // namespace logpx::codec::adaptive
