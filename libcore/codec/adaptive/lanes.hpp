// Loops over all inputs of a mixer in whole numbers, with the same bits for vectors of any length.
// Floats only hold whole numbers below 2^24, and quotients that are rounded down: both exact.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace logpx::codec::adaptive {

// log2(v) with 10 bits behind the point, v > 0: the bits of a float, and a parabola for the rest.
inline int ten_bit_log2(int v) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(v));
  const int linear = static_cast<int>(bits >> 13) - (127 << 10);
  const std::uint32_t part = static_cast<std::uint32_t>(linear) << 6 & 0xffff;
  const std::uint32_t curve = part * (65536 - part) >> 16;
  return linear + static_cast<int>(curve * 352 >> 16);
}

struct PlainLanes {
  // Chances that are learned, number 0, 1 ... by a function. Vectors are written as a whole: one
  // written in parts cannot be read until all of them have arrived.
  template <int count>
  static void fill(std::uint32_t* chances, const auto& chance) {
#pragma GCC unroll 32
    for (int i = 0; i < count; ++i) chances[i] = chance(i);
  }
  // Chances as logits x[0] ..., and as chances less one half x[count] ...; `count` is a multiple of
  // 16. The last number is replaced by a constant.
  static void inputs(const std::uint32_t* chances, int count, std::int16_t* x) {
    for (int i = 0; i < count; ++i) {
      const int chance = static_cast<int>(chances[i] >> 16), odd = 2 * chance + 1;
      const int twice = ten_bit_log2(odd) - ten_bit_log2(131072 - odd);
      x[i] = static_cast<std::int16_t>(twice * 11357 >> 16);  // ln 2 / 4
      x[count + i] = static_cast<std::int16_t>((chance - 32768) >> 6);
    }
    x[2 * count - 1] = one_nat;
  }
  static void learn(std::uint32_t* chances, int count, int bit) {
    const int goal = bit ? (1 << 22) - 1 : 0;
    for (int i = 0; i < count; ++i) {
      const int n = static_cast<int>(chances[i] & 1023), p = static_cast<int>(chances[i] >> 10);
      const int share = n < 1023 ? static_cast<int>(65536.0f / static_cast<float>(2 * n + 3)) : 0;
      const int moved = p + (((goal - p) >> 7) * share >> 8), more = n < 1022 ? n + 1 : n;
      chances[i] = static_cast<std::uint32_t>(moved) << 10 | static_cast<std::uint32_t>(more);
    }
  }

#if defined(__SSE2__)
  static int weighted_sum(const std::int16_t* x, const std::int16_t* w, int count) {
    __m128i sum = _mm_setzero_si128();
    for (int i = 0; i < count; i += 8) {
      const __m128i pairs = _mm_madd_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(x + i)),
                                           _mm_load_si128(reinterpret_cast<const __m128i*>(w + i)));
      sum = _mm_add_epi32(sum, _mm_srai_epi32(pairs, 8));
    }
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum);
  }
  static void add_scaled(const std::int16_t* x, std::int16_t* w, int count, int scale) {
    const __m128i s = _mm_set1_epi16(static_cast<std::int16_t>(scale)), one = _mm_set1_epi16(1);
    for (int i = 0; i < count; i += 8) {
      auto* const at = reinterpret_cast<__m128i*>(w + i);
      const __m128i input = _mm_load_si128(reinterpret_cast<const __m128i*>(x + i));
      const __m128i product = _mm_mulhi_epi16(_mm_slli_epi16(input, 3), s);
      const __m128i step = _mm_srai_epi16(_mm_add_epi16(product, one), 1);
      _mm_store_si128(at, _mm_adds_epi16(_mm_load_si128(at), step));
    }
  }
#else
  // sum of x w, each pair of products rounded down to 256.
  static int weighted_sum(const std::int16_t* x, const std::int16_t* w, int count) {
    int sum = 0;
    for (int i = 0; i < count; i += 2) sum += (x[i] * w[i] + x[i + 1] * w[i + 1]) >> 8;
    return sum;
  }
  // w <- w + x * scale / 2^14, kept within 16 bits.
  static void add_scaled(const std::int16_t* x, std::int16_t* w, int count, int scale) {
    for (int i = 0; i < count; ++i) {
      const int step = ((x[i] * 8 * scale >> 16) + 1) >> 1, sum = w[i] + step;
      w[i] = static_cast<std::int16_t>(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
    }
  }
#endif
};

}  // namespace logpx::codec::adaptive
