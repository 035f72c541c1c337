// Mixes the logits of several models into one: a sum with learned weights. Each set of weights has
// a row for every state of some context; all sets see the same inputs, and each learns from its own
// error.
//
//   y = sum_i w_i x_i,   w_i <- w_i + rate * (bit - 1 / (1 + e^-y)) * x_i
//
// Sixteen-bit numbers, so that a few vectors hold all inputs; sums are of whole numbers, and so the
// same for vectors of any length.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace logpx::codec::adaptive {

constexpr int weight_bits = 14;  // of a weight of 1

// `inputs` numbers, a multiple of 16, seen by `sets` sets of weights.
template <int inputs, int sets, typename Lanes>
class MixerSets {
 public:
  MixerSets(const std::array<int, sets>& rows, int weight) : room_(2 * inputs * sum_of(rows)) {
    auto* at = reinterpret_cast<std::int16_t*>(room_.data());
    for (int k = 0; k < sets; ++k) {
      first_[k] = at;
      at += inputs * rows[static_cast<std::size_t>(k)];
    }
    end_ = at;
    for (std::int16_t* w = first_[0]; w != end_; ++w) *w = static_cast<std::int16_t>(weight);
  }

  // As the other is, with no rows selected.
  MixerSets(const MixerSets& other) : room_(other.room_) {
    const auto own = [&](const std::int16_t* at) {
      return reinterpret_cast<std::int16_t*>(
          room_.data() + (reinterpret_cast<const std::uint8_t*>(at) - other.room_.data()));
    };
    for (int k = 0; k < sets; ++k) first_[k] = own(other.first_[k]);
    end_ = own(other.end_);
  }

  // The weight that an input begins with, in all sets.
  void begin_with(int input, int weight) {
    for (std::int16_t* row = first_[0]; row != end_; row += inputs)
      row[input] = static_cast<std::int16_t>(weight);
  }
  [[nodiscard]] std::int16_t* inputs_at() { return x_; }
  void select(int set, int row) { chosen_[set] = first_[set] + inputs * row; }
  // The logit of each set, |y| <= most_logit.
  void mix(int* y) {
    for (int k = 0; k < sets; ++k)
      y[k] = within_logits(Lanes::weighted_sum(x_, chosen_[k], inputs) >> (weight_bits - 8));
  }
  void learn(const int* y, int bit, int rate) {
    for (int k = 0; k < sets; ++k) {
      const int error = (bit << chance_bits) - chance_of(y[k]);
      const int scale = error * rate >> 10;
      Lanes::add_scaled(x_, chosen_[k], inputs, std::clamp(scale, -32767, 32767));
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
  std::int16_t* end_;
  Room room_;
};

// Mixes the logits of the sets into one, by a further set of weights.
template <int sets>
class LastMixer {
 public:
  explicit LastMixer(int rows)
      : weights_(static_cast<std::size_t>(rows * sets), 65536 / sets), row_(weights_.data()) {}
  void select(int row) { row_ = weights_.data() + row * sets; }
  [[nodiscard]] int mix(const int* y) {
    std::int64_t sum = 0;
    for (int k = 0; k < sets; ++k) sum += std::int64_t{y[k]} * row_[k];
    return out_ = within_logits(static_cast<int>(sum >> 16));
  }
  void learn(const int* y, int bit) {
    const int error = (bit << chance_bits) - chance_of(out_);
    for (int k = 0; k < sets; ++k) row_[k] += (y[k] * (error >> 2) + 8192) >> 14;
  }

 private:
  std::vector<std::int32_t> weights_;
  std::int32_t* row_;
  int out_ = 0;
};

}  // namespace logpx::codec::adaptive
