// The same as lanes.hpp for vectors of 32 bytes.
#pragma once

#if defined(__x86_64__)

#include "libcore/codec/adaptive/logistic.hpp"

#include <cstdint>

#include <immintrin.h>

#define LOGPX_AVX2 [[gnu::target("avx2")]] static inline

namespace logpx::codec::adaptive {

struct Avx2Lanes {
  template <int count>
  LOGPX_AVX2 void fill(std::uint32_t* chances, const auto& chance) {
    const auto number = [&](int i) { return static_cast<int>(chance(i)); };
#pragma GCC unroll 4
    for (int i = 0; i < count; i += 8)
      _mm256_store_si256(
          reinterpret_cast<__m256i*>(chances + i),
          _mm256_setr_epi32(number(i), number(i + 1), number(i + 2), number(i + 3), number(i + 4),
                            number(i + 5), number(i + 6), number(i + 7)));
  }
  LOGPX_AVX2 void inputs(const std::uint32_t* chances, int count, std::int16_t* x) {
    const __m256i all = _mm256_set1_epi32(131072);
    for (int i = 0; i < count; i += 16) {
      const __m256i first = _mm256_srli_epi32(at(chances + i), 16),
                    second = _mm256_srli_epi32(at(chances + i + 8), 16);
      const __m256i odd1 = odd_of(first), odd2 = odd_of(second);
      const __m256i other = ten_bit_log2(_mm256_sub_epi32(all, odd1), _mm256_sub_epi32(all, odd2));
      const __m256i twice = _mm256_sub_epi16(ten_bit_log2(odd1, odd2), other);
      put(x + i, in_order(_mm256_mulhi_epi16(twice, _mm256_set1_epi16(11357))));
      const __m256i above =
          _mm256_xor_si256(_mm256_packus_epi32(first, second), _mm256_set1_epi16(-32768));
      const __m256i half = in_order(_mm256_srai_epi16(above, 6));
      put(x + count + i, i + 16 < count ? half : with_last(half, one_nat));
    }
  }
  LOGPX_AVX2 void learn(std::uint32_t* chances, int count, int bit) {
    const __m256i goal = _mm256_set1_epi32(bit ? (1 << 22) - 1 : 0);
    const __m256i last = _mm256_set1_epi32(1022), fixed = _mm256_set1_epi32(1023);
    for (int i = 0; i < count; i += 8) {
      const __m256i now = at(chances + i), n = _mm256_and_si256(now, fixed),
                    p = _mm256_srli_epi32(now, 10);
      const __m256i divisor = _mm256_add_epi32(_mm256_add_epi32(n, n), _mm256_set1_epi32(3));
      const __m256 quotient = _mm256_div_ps(_mm256_set1_ps(65536), _mm256_cvtepi32_ps(divisor));
      const __m256i share =
          _mm256_and_si256(_mm256_cvttps_epi32(quotient), _mm256_cmpgt_epi32(fixed, n));
      // Both are of 16 bits, and the upper half of the share is 0.
      const __m256i error = _mm256_srai_epi32(_mm256_sub_epi32(goal, p), 7);
      const __m256i step = _mm256_srai_epi32(_mm256_madd_epi16(error, share), 8);
      const __m256i more = _mm256_sub_epi32(n, _mm256_cmpgt_epi32(last, n));
      const __m256i moved = _mm256_slli_epi32(_mm256_add_epi32(p, step), 10);
      _mm256_store_si256(reinterpret_cast<__m256i*>(chances + i), _mm256_or_si256(moved, more));
    }
  }
  LOGPX_AVX2 int weighted_sum(const std::int16_t* x, const std::int16_t* w, int count) {
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < count; i += 16)
      sum = _mm256_add_epi32(sum, _mm256_srai_epi32(_mm256_madd_epi16(at(x + i), at(w + i)), 8));
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
  }
  LOGPX_AVX2 void add_scaled(const std::int16_t* x, std::int16_t* w, int count, int scale) {
    const __m256i s = _mm256_set1_epi16(static_cast<std::int16_t>(scale)),
                  one = _mm256_set1_epi16(1);
    for (int i = 0; i < count; i += 16) {
      const __m256i product = _mm256_mulhi_epi16(_mm256_slli_epi16(at(x + i), 3), s);
      const __m256i step = _mm256_srai_epi16(_mm256_add_epi16(product, one), 1);
      _mm256_store_si256(reinterpret_cast<__m256i*>(w + i), _mm256_adds_epi16(at(w + i), step));
    }
  }

 private:
  LOGPX_AVX2 __m256i at(const void* p) { return _mm256_load_si256(static_cast<const __m256i*>(p)); }
  LOGPX_AVX2 void put(std::int16_t* x, __m256i numbers) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(x), numbers);
  }
  // Packing takes half a vector from either side: four numbers are in the wrong place.
  LOGPX_AVX2 __m256i in_order(__m256i packed) { return _mm256_permute4x64_epi64(packed, 0xd8); }
  LOGPX_AVX2 __m256i with_last(__m256i numbers, std::int16_t last) {
    const __m256i none = _mm256_setzero_si256();
    const __m256i others = _mm256_andnot_si256(_mm256_insert_epi16(none, -1, 15), numbers);
    return _mm256_or_si256(others, _mm256_insert_epi16(none, last, 15));
  }
  LOGPX_AVX2 __m256i odd_of(__m256i chance) {
    return _mm256_add_epi32(_mm256_add_epi32(chance, chance), _mm256_set1_epi32(1));
  }
  LOGPX_AVX2 __m256i linear_of(__m256i v) {
    const __m256i bits = _mm256_castps_si256(_mm256_cvtepi32_ps(v));
    return _mm256_sub_epi32(_mm256_srli_epi32(bits, 13), _mm256_set1_epi32(127 << 10));
  }
  LOGPX_AVX2 __m256i ten_bit_log2(__m256i first, __m256i second) {
    const __m256i linear = _mm256_packs_epi32(linear_of(first), linear_of(second));
    const __m256i part = _mm256_slli_epi16(linear, 6);
    const __m256i curve = _mm256_mulhi_epu16(part, _mm256_sub_epi16(_mm256_setzero_si256(), part));
    return _mm256_add_epi16(linear, _mm256_mulhi_epu16(curve, _mm256_set1_epi16(352)));
  }
};

}  // namespace logpx::codec::adaptive

#undef LOGPX_AVX2
#endif
