// The codes of a block: their lengths, how a stream describes these, and what zlib makes of how
// often each symbol occurs.
#pragma once

#include "formats/deflate/symbols.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::deflate {

// A symbol of the alphabet that describes lengths of codes, and its extra bits.
struct Run {
  std::uint8_t symbol = 0, extra = 0;
  bool operator==(const Run&) const = default;
};

// As the head of a block has them: `literals` and `distances` lengths, as runs, whose own code has
// `run_lengths`, of which `run_count` are written.
struct Trees {
  std::uint16_t literals = 257, distances = 1, run_count = 4;
  std::array<std::uint8_t, literal_codes> literal_lengths{};
  std::array<std::uint8_t, distance_codes> distance_lengths{};
  std::array<std::uint8_t, run_symbols> run_lengths{};
  std::vector<Run> runs;

  // The length of a code, of the literals first and then of the distances, as the runs go.
  [[nodiscard]] std::uint8_t length(std::size_t index) const {
    return index < literals ? literal_lengths[index] : distance_lengths[index - literals];
  }
  bool operator==(const Trees&) const = default;
};

struct SymbolCounts {
  std::array<std::uint32_t, literal_symbols> literals{};
  std::array<std::uint32_t, distance_symbols> distances{};

  void add(Token token, std::uint8_t byte) {
    if (!token.is_match()) return void(++literals[byte]);
    ++literals[first_length_symbol + length_symbol(token.length)];
    ++distances[distance_symbol(token.distance)];
  }
};

// zlib's Huffman codes of at most `longest` bits: a heap whose ties go to the lower tree, and its
// repair of codes that are too long. Returns how many symbols are written: up to the last used one,
// and at least two are used.
std::size_t zlib_lengths(std::span<const std::uint32_t> counts, unsigned longest,
                         std::span<std::uint8_t> lengths);
// The run with which zlib goes on at `index`.
[[nodiscard]] Run zlib_run(const Trees& trees, std::size_t index);
// How many lengths a run stands for.
[[nodiscard]] constexpr unsigned run_size(Run run) {
  return run.symbol < 16 ? 1 : run.symbol == 18 ? 11u + run.extra : 3u + run.extra;
}
// As many lengths of the run code as must be written.
[[nodiscard]] std::uint16_t least_run_count(const Trees& trees);
// The code of the runs, and how much of it is written.
void set_run_code(Trees& trees);
[[nodiscard]] Trees zlib_trees(const SymbolCounts& counts);
[[nodiscard]] const Trees& fixed_trees();

// Bits of a block with these trees, without the three at its beginning.
[[nodiscard]] std::uint64_t block_bits(const SymbolCounts& counts, const Trees& trees);
// Bits of the description.
[[nodiscard]] std::uint64_t description_bits(const Trees& trees);

// The codes, first bit lowest; throws a data error if there are more than the lengths have room
// for.
void canonical_codes(std::span<const std::uint8_t> lengths, std::span<std::uint16_t> codes);

}  // namespace logpx::deflate
