// Makes a product a distribution, or leaves it as it is and says what it sums to.
// [pc/README 4.6]
//
//   local    leaves alone: a distribution, but not p_1 p_2 / Z
//   push     p_1 p_2 / Z, for trees: sums take the masses below them, layer by layer
//   perron   the same for chains, as if every sequence went on for ever
//   none     p_1 p_2 itself: sums take the masses below them, and their rows sum to less than 1
#pragma once

#include "libcore/families/pc/products/masses.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace logpx::pc {

enum class Normalise { automatic, local, push, perron, none };
[[nodiscard]] const char* word_of(Normalise how);

// Throws a usage error where it does not go with the circuit, a numeric error where no row is
// possible or a chain's masses do not settle. Returns ln Z of rows of this many steps.
double normalise_product(CircuitProduct& product, std::span<const ProductFactor> factors,
                         Normalise how, std::int64_t steps);

}  // namespace logpx::pc
