// Which parameters a stream was made with, by trying them on its beginning.
#pragma once

#include "formats/deflate/parameters.hpp"
#include "formats/deflate/symbols.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace logpx::deflate {

constexpr std::size_t searched_tokens = 30000, searched_bytes = std::size_t{2} << 20;

// The beginning of a stream: its content, whole if the stream is, and its tokens, block by block.
struct Beginning {
  std::span<const std::uint8_t> content;
  bool is_whole = false;
  struct Block {
    bool stored = false, fixed = false, ended = false;
    std::size_t stored_bytes = 0;
    std::vector<Token> tokens = {};
  };
  std::vector<Block> blocks = {};
};

// Those that foretell the most tokens; of equal ones those most often used.
[[nodiscard]] Parameters find_parameters(const Beginning& beginning);

}  // namespace logpx::deflate
