// Which parameters a stream was made with, by trying them on its beginning.
#pragma once

#include "formats/deflate/parameters.hpp"
#include "formats/deflate/teller.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

namespace logpx::deflate {

constexpr std::size_t searched_tokens = 30000, searched_bytes = std::size_t{2} << 20;

// The beginning of a stream, or all of it: its blocks, their tokens with the end of each block, and
// the content.
struct Beginning {
  std::span<const std::uint8_t> content;
  bool is_whole = false;
  const std::deque<BlockHead>& heads;
  const std::deque<Token>& tokens;
};

// Those with which the decisions cost least; of equal ones those most often used. It takes at most
// 2^30 steps of the foreteller.
[[nodiscard]] Parameters find_parameters(const Beginning& beginning);

}  // namespace logpx::deflate
