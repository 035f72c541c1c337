// What has been coded of a block, as its contexts see it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logpx::codec::adaptive {

struct Past {
  const std::uint8_t* now = nullptr;  // where the next byte goes; zeros lie before the first
  std::size_t position = 0;
  std::uint32_t last4 = 0, before4 = 0;  // the last four bytes, and the four before them

  [[nodiscard]] int back(std::size_t distance) const { return *(now - distance); }
  void add(std::uint8_t byte) {
    ++now;
    ++position;
    before4 = before4 << 8 | last4 >> 24;
    last4 = last4 << 8 | byte;
  }
  [[nodiscard]] std::uint32_t last(int bytes) const {
    return bytes == 4 ? last4 : last4 & ((1u << 8 * bytes) - 1);
  }
};

// The hash of a context's value and number, by which its histories are found.
inline std::uint32_t hash_of(std::uint64_t value, std::uint32_t number) {
  std::uint64_t x = (value + number * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u;
  x ^= x >> 32;
  return static_cast<std::uint32_t>(x * 0xC2B2AE3D27D4EB4Fu >> 32);
}
// The same for its second half byte, when the first is known.
inline std::uint32_t hash_of_half(std::uint32_t hash, std::uint32_t half) {
  return static_cast<std::uint32_t>((hash + half * 0x9E3779B97F4A7C15u) * 0xC2B2AE3D27D4EB4Fu >>
                                    32);
}

}  // namespace logpx::codec::adaptive
