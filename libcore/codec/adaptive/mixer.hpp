// Logits of several models to one: a sum with learned weights, of which a set is chosen by what is
// going on. Several sets look at the same inputs, and each learns from its own error.
//
//   y = sum_i w_i x_i,   w_i <- w_i + rate * (bit - 1 / (1 + e^-y)) * x_i
//
// Sixteen-bit numbers, so that a few vectors hold all inputs; sums are of whole numbers, and so the
// same for vectors of any length.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <array>
#include <cstdint>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace logpx::codec::adaptive {

constexpr int weight_bits = 14;  // of a weight of 1

#if defined(__SSE2__)
inline int weighted_sum(const std::int16_t* x, const std::int16_t* w, int count) {
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

inline void add_scaled(const std::int16_t* x, std::int16_t* w, int count, int scale) {
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
inline int weighted_sum(const std::int16_t* x, const std::int16_t* w, int count) {
  int sum = 0;
  for (int i = 0; i < count; i += 2) sum += (x[i] * w[i] + x[i + 1] * w[i + 1]) >> 8;
  return sum;
}

inline void add_scaled(const std::int16_t* x, std::int16_t* w, int count, int scale) {
  for (int i = 0; i < count; ++i) {
    const int step = ((x[i] * 8 * scale >> 16) + 1) >> 1;
    const int sum = w[i] + step;
    w[i] = static_cast<std::int16_t>(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
  }
}
#endif

// `inputs` numbers, a multiple of 8, seen by `sets` sets of weights.
template <int inputs, int sets>
class MixerSets {
 public:
  MixerSets(const std::array<int, sets>& rows, int weight) : room_(2 * inputs * sum_of(rows)) {
    auto* at = reinterpret_cast<std::int16_t*>(room_.data());
    for (int k = 0; k < sets; ++k) {
      first_[k] = at;
      at += inputs * rows[static_cast<std::size_t>(k)];
    }
    for (std::int16_t* w = first_[0]; w != at; ++w) *w = static_cast<std::int16_t>(weight);
  }

  [[nodiscard]] std::int16_t* inputs_at() { return x_; }
  void select(int set, int row) { chosen_[set] = first_[set] + inputs * row; }
  // The logit of each set, |y| <= most_logit.
  void mix(int* y) {
    for (int k = 0; k < sets; ++k)
      y[k] = within_logits(weighted_sum(x_, chosen_[k], inputs) >> (weight_bits - 8));
  }
  void learn(const int* y, int bit, int rate) {
    for (int k = 0; k < sets; ++k) {
      const int error = (bit << chance_bits) - chance_of(y[k]);
      const int scale = error * rate >> 10;
      add_scaled(x_, chosen_[k], inputs, scale > 32767 ? 32767 : scale < -32767 ? -32767 : scale);
    }
  }

 private:
  static std::size_t sum_of(const std::array<int, sets>& rows) {
    std::size_t sum = 0;
    for (const int count : rows) sum += static_cast<std::size_t>(count);
    return sum;
  }
  alignas(64) std::int16_t x_[inputs] = {};
  std::int16_t* first_[sets];
  std::int16_t* chosen_[sets];
  Room room_;
};

// The logits of the sets to one, by weights of a set of its own.
template <int sets>
class LastMixer {
 public:
  explicit LastMixer(int rows) : weights_(static_cast<std::size_t>(rows)) {
    for (auto& row : weights_) row.fill(65536 / sets);
  }
  void select(int row) { row_ = static_cast<std::size_t>(row); }
  [[nodiscard]] int mix(const int* y) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < sets; ++k) sum += std::int64_t{y[k]} * weights_[row_][k];
    return out_ = within_logits(static_cast<int>(sum >> 16));
  }
  void learn(const int* y, int bit) {
    const int error = (bit << chance_bits) - chance_of(out_);
    for (std::size_t k = 0; k < sets; ++k) weights_[row_][k] += (y[k] * (error >> 2) + 8192) >> 14;
  }

 private:
  std::vector<std::array<std::int32_t, sets>> weights_;
  std::size_t row_ = 0;
  int out_ = 0;
};

}  // namespace logpx::codec::adaptive
