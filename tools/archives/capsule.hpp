// A model inside an archive: family, config, data description and tensors; weights have 32 bits, or
// 16 that are widened exactly.   [logpx-archive(5)]
#pragma once

#include "formats/archive/wire.hpp"
#include "libcore/model/model.hpp"

#include <bit>
#include <cstdint>
#include <memory>

namespace logpx::compress {

// Numbers of 16 bits (IEEE binary16), by integers alone, so that they are the same everywhere.

// Rounds to the nearest, ties to even; beyond 65504 to infinity.
[[nodiscard]] constexpr std::uint16_t to_binary16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x7f800000)
    return static_cast<std::uint16_t>(sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00));
  if (magnitude < 0x33000000) return sign;  // at most half of the smallest
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  const std::uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
  const int drop = exponent < -14 ? -1 - exponent : 13;  // subnormals lose more
  std::uint32_t kept = mantissa >> drop;
  const std::uint32_t rest = mantissa & ((1u << drop) - 1), half = 1u << (drop - 1);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  if (exponent >= -14) kept += static_cast<std::uint32_t>(exponent + 14) << 10;
  return static_cast<std::uint16_t>(sign | (kept >= 0x7c00 ? 0x7c00 : kept));
}

// Exact.
[[nodiscard]] constexpr float from_binary16(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = half >> 10 & 31, mantissa = half & 1023;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float small = static_cast<float>(mantissa) * 0x1p-24F;
  return sign != 0 ? -small : small;
}

enum class CapsulePrecision { whole, half };  // half: every f32 parameter as binary16

[[nodiscard]] archive::ByteVector make_capsule(Model& model, CapsulePrecision precision);
// A data error for bytes that make_capsule cannot have made, and for weights that are not finite.
[[nodiscard]] std::unique_ptr<Model> open_capsule(archive::ByteView bytes);

}  // namespace logpx::compress
