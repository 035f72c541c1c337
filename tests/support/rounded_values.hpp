// The nearest number of 8 bits, as processors round the factors of bf16 products.
#pragma once

#include <bit>
#include <cstdint>

namespace logpx {

inline float rounded_to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t odd = bits >> 16 & 1;  // halves go to even
  return std::bit_cast<float>((bits + 0x7fff + odd) & 0xffff0000);
}

}  // namespace logpx
