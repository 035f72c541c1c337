// The alphabets of DEFLATE [RFC 1951, 3.2.5]: literals, lengths, distances.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace logpx::deflate {

constexpr std::size_t literal_symbols = 286, distance_symbols = 30, run_symbols = 19;
// Codes of symbols that no stream uses are counted in fixed trees.
constexpr std::size_t literal_codes = 288, distance_codes = 32;
constexpr unsigned longest_code = 15, longest_run_code = 7;
constexpr unsigned end_symbol = 256, first_length_symbol = 257;
constexpr unsigned shortest_match = 3, longest_match = 258, farthest_match = 32768;

// A literal has no length; the end of a block is a token of length 1.
struct Token {
  std::uint16_t length = 0, distance = 0;

  [[nodiscard]] bool is_match() const { return length >= shortest_match; }
  [[nodiscard]] std::size_t content() const { return is_match() ? length : 1; }
  bool operator==(const Token&) const = default;
};
constexpr Token literal{}, end_of_block{1, 0};

// The least length of a symbol (0 to 28), the least distance (0 to 29), and how many bits say which
// one it is.
[[nodiscard]] constexpr unsigned length_bits(unsigned symbol) {
  return symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1;
}
[[nodiscard]] constexpr unsigned length_base(unsigned symbol) {
  if (symbol == 28) return longest_match;
  return symbol < 8 ? 3 + symbol : 3 + ((4 + symbol % 4) << (symbol / 4 - 1));
}
[[nodiscard]] constexpr unsigned length_symbol(unsigned length) {
  if (length == longest_match) return 28;
  if (length < 11) return length - 3;
  const auto top = static_cast<unsigned>(std::bit_width(length - 3)) - 1;
  return 4 * (top - 1) + ((length - 3) >> (top - 2) & 3);
}
[[nodiscard]] constexpr unsigned distance_bits(unsigned symbol) {
  return symbol < 2 ? 0 : symbol / 2 - 1;
}
[[nodiscard]] constexpr unsigned distance_base(unsigned symbol) {
  return symbol < 2 ? 1 + symbol : 1 + ((2 + symbol % 2) << (symbol / 2 - 1));
}
[[nodiscard]] constexpr unsigned distance_symbol(unsigned distance) {
  if (distance < 3) return distance - 1;
  const auto top = static_cast<unsigned>(std::bit_width(distance - 1)) - 1;
  return 2 * top + ((distance - 1) >> (top - 1) & 1);
}

// Lengths of codes come in this order [3.2.7].
constexpr std::array<std::uint8_t, run_symbols> run_order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                          11, 4,  12, 3, 13, 2, 14, 1, 15};
[[nodiscard]] constexpr unsigned run_bits(unsigned symbol) {
  return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
}

}  // namespace logpx::deflate
