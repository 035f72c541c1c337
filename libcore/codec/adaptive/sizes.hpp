// How large the tables for a block are: both sides work it out from its size and level.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <algorithm>
#include <bit>

namespace logpx::codec::adaptive {

struct Sizes {
  std::size_t lines, places, rows;  // of histories, of the match model, of a final map
};
constexpr Sizes sizes_for(std::size_t size, Level level) {
  const std::size_t most_lines = (level == Level::best ? 208u : 52u) << 14;  // 64 bytes each
  return {.lines = std::clamp<std::size_t>(3 * size, 64, most_lines),
          .places = std::clamp<std::size_t>(std::bit_ceil(size), 256, 1u << 20),
          .rows = std::clamp<std::size_t>(std::bit_ceil(size), 1024, 65536)};
}

}  // namespace logpx::codec::adaptive
