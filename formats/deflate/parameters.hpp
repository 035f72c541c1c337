// What zlib was asked for when it made a stream: all that it takes to foretell its tokens.
#pragma once

#include "formats/deflate/decisions.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace logpx::deflate {

// How matches are looked for: level 1 to 3 take the first that is found (greedy), 4 to 9 look
// whether the next byte has a longer one (lazy).
enum class Strategy : std::uint8_t { greedy, lazy, filtered, runs, literals };

struct Parameters {
  Strategy strategy = Strategy::lazy;
  std::uint8_t level = 6;    // 1 to 9: the four numbers of the search
  std::uint8_t memory = 8;   // 1 to 9: bits of the hash, less 7
  std::uint8_t window = 15;  // 9 to 15: bits of the farthest distance
  std::uint8_t block = 14;   // 7 to 15: a block has 2^block - 1 tokens at most
  bool far_threes = false;   // matches of 3 farther than 4,096 are taken
  bool gzip_ends = false;    // ends of blocks by the rule of gzip(1)
  bool fixed_trees = false;  // no block has trees of its own

  bool operator==(const Parameters&) const = default;
};

// Writes or reads them; a data error if what is read is none.
[[nodiscard]] Parameters code_parameters(Decisions& decisions, const Parameters& parameters);
// "zlib level 6", "zlib level 9, memory 9, filtered", "gzip level 6".
[[nodiscard]] std::string in_words(const Parameters& parameters);

}  // namespace logpx::deflate
