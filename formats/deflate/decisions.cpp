#include "formats/deflate/decisions.hpp"

#include <bit>

namespace logpx::deflate {

unsigned code_bits(Decisions& decisions, unsigned number, unsigned bits, std::size_t context) {
  unsigned tree = 1;
  for (unsigned i = bits; i-- > 0;)
    tree = tree << 1 |
           static_cast<unsigned>(decisions.code(static_cast<int>(number >> i & 1), context + tree));
  return tree - (1u << bits);
}

// How many bits the number has (after adding 1), a one for each but the first, then the bits below
// the highest; the two highest of these have contexts for each size.
std::uint32_t code_number(Decisions& decisions, std::uint32_t number, std::size_t context) {
  constexpr unsigned most = 23;
  const auto bits = static_cast<unsigned>(std::bit_width(number + 1)) - 1;
  unsigned size = 0;
  while (size < most && decisions.code(size < bits, context + size) != 0) ++size;
  std::uint32_t value = 1;
  for (unsigned i = size; i-- > 0;) {
    const unsigned place = value == 1 ? 24 + size : value < 4 ? 24 * value + size : 96 + i;
    const int bit = decisions.code(static_cast<int>((number + 1) >> i & 1), context + place);
    value = value << 1 | static_cast<std::uint32_t>(bit);
  }
  return value - 1;
}

}  // namespace logpx::deflate
