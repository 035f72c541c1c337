// What a trained model expects of a block, bit by bit and in whole numbers: one more input beside
// the contexts.   [codec/README 5.3]
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

class Adviser {
 public:
  // The chance of a one is ones / all, with all at most 2^24. Both are 0 when the adviser has no
  // opinion.
  struct Odds {
    std::uint32_t ones = 0, all = 0;
  };

  virtual ~Adviser() = default;
  [[nodiscard]] virtual Odds next() = 0;  // of the next bit of the block
  virtual void learn(int bit) = 0;        // it was this one
};

// For a predictor without an adviser.
struct NoAdvice {
  static constexpr int inputs = 0, sets = 0;
  static constexpr int rate_beside(int contexts) { return contexts; }
  static constexpr auto sets_with(const auto& rows) { return rows; }
  void begin(auto&, int, int) {}
  void predict(auto&, std::int16_t*, unsigned) {}
  void learn(int) {}
};

// An adviser as inputs of a predictor's mixer: its logit, its chance less one half, and a set of
// weights that is chosen by how sure it is and by the bits of this byte. Weights learn slowly where
// so much is known already.
class TrainedAdvice {
 public:
  static constexpr int inputs = 16, sets = 1;  // all but two of them are 0
  static constexpr int rate_beside(int contexts) { return std::min(contexts, 40); }
  template <std::size_t others>
  static constexpr std::array<int, others + 1> sets_with(const std::array<int, others>& rows) {
    std::array<int, others + 1> all;
    std::ranges::copy(rows, all.begin());
    all.back() = 256 * (1 + classes);
    return all;
  }

  explicit TrainedAdvice(Adviser& adviser) : adviser_(adviser) {}

  // Until this is called, its inputs are 0.
  void speak() { speaks_ = true; }
  // `input`: the first of its inputs; `set`: the number of its set of weights.
  void begin(auto& mixer, int input, int set) {
    mixer.begin_with(input, first_weight);
    set_ = set;
  }
  // Fills its inputs in; `whole`: a 1, then the bits of this byte so far.
  void predict(auto& mixer, std::int16_t* x, unsigned whole) {
    const auto [ones, all] = speaks_ ? adviser_.next() : Adviser::Odds{};
    x[0] = x[1] = 0;
    int sure = 0;
    if (all != 0) {
      const int chance = static_cast<int>(
          std::clamp<std::uint64_t>((std::uint64_t{ones} << chance_bits) / all, 1, 65535));
      const int logit = fine_logit_of(chance);
      x[0] = static_cast<std::int16_t>(logit);
      x[1] = static_cast<std::int16_t>(above_half(chance));
      sure = 1 + (logit + most_logit + 1) * classes / (2 * (most_logit + 1));
    }
    mixer.select(set_, 256 * sure + static_cast<int>(whole));
  }
  void learn(int bit) {
    if (speaks_) adviser_.learn(bit);
  }

 private:
  static constexpr int classes = 24, first_weight = 1 << 13;

  Adviser& adviser_;
  bool speaks_ = false;
  int set_ = 0;
};

}  // namespace logpx::codec::adaptive
