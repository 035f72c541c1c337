#include "libcore/codec/adaptive/likely_code.hpp"

#include "libcore/codec/adaptive/x86_walk.hpp"

namespace logpx::codec::adaptive {

// Addresses within 2^24 bytes.
bool may_be_x86(std::span<const std::uint8_t> part) {
  constexpr std::size_t bytes_of_one = 128;  // at most, for each such instruction
  X86Walk walk;
  std::size_t near = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (walk.address_comes() && i + 4 <= part.size())
      near += part[i + 3] == 0 || part[i + 3] == 255;
    walk.next_byte(part[i]);
  }
  return near * bytes_of_one >= part.size();
}

}  // namespace logpx::codec::adaptive
