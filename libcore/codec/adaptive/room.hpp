// The memory that a block's tables live in, and how large they are.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace logpx::codec::adaptive {

// Zeroed, in large pages where the system has them: what a model looks up lies anywhere in it.
class Room {
 public:
  explicit Room(std::size_t bytes);
  Room(const Room& other);
  ~Room();
  Room& operator=(const Room&) = delete;

  [[nodiscard]] std::uint8_t* data() const { return data_; }

 private:
  struct Unzeroed {};
  Room(std::size_t bytes, Unzeroed);

  std::size_t size_;
  std::uint8_t* data_;
};

// How large the tables for a block are: both sides work it out from its size, its level, whether
// some of its contexts are rare, and the bytes of tables that they have beside these.
struct Sizes {
  std::size_t block;           // its bytes
  std::size_t lines, buckets;  // of histories, and of runs
  std::size_t places, rows;    // of the match model, and of a final map
};
constexpr Sizes sizes_for(std::size_t size, Level level, bool rare, std::size_t others) {
  const std::size_t most = level == Level::best ? 208u : 52u,
                    most_of_runs = rare ? most * 3 / 13 : 0,
                    most_lines = ((most - most_of_runs) << 14) - others / 64;
  return {.block = size,
          .lines = std::clamp<std::size_t>(3 * size, 64, most_lines),
          .buckets = rare ? std::clamp<std::size_t>(2 * size, 16, most_of_runs << 16) : 1,
          .places = std::clamp<std::size_t>(std::bit_ceil(size), 256, 1u << 20),
          .rows = std::clamp<std::size_t>(std::bit_ceil(size), 1024, 65536)};
}

}  // namespace logpx::codec::adaptive
