// The chance that a logit has come to mean in a context: a curve through sixteen points at equal
// distances, of which the nearest to the logit learns.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <cstdint>

namespace logpx::codec::adaptive {

class FinalMap {
 public:
  static constexpr int points = 16;
  static constexpr std::size_t row_bytes = 2 * points;

  explicit FinalMap(std::size_t rows) : room_(rows * row_bytes) {
    chances_ = reinterpret_cast<std::uint16_t*>(room_.data());
    for (std::size_t i = 0; i < rows * points; ++i) {
      const int x = static_cast<int>(i % points) * 2 * (most_logit + 1) / (points - 1);
      chances_[i] = static_cast<std::uint16_t>(chance_of(within_logits(x - most_logit - 1)));
    }
  }
  void prefetch(std::uint32_t row) const { __builtin_prefetch(chances_ + row * points, 1); }
  // The chance of a one, of 16 bits.
  [[nodiscard]] int refine(int logit, std::uint32_t row) {
    const int at = (logit + most_logit + 1) * 5, left = at >> 11, share = at & 2047;
    std::uint16_t* const here = chances_ + row * points + left;
    near_ = here + (share >> 10);
    return (here[0] * (2048 - share) + here[1] * share) >> 11;
  }
  void learn(int bit) {
    const int goal = bit ? 65535 : 0;
    *near_ = static_cast<std::uint16_t>(*near_ + ((goal - *near_) >> 6));
  }

 private:
  static_assert((2 * (most_logit + 1)) * 5 >> 11 == points - 1);
  Room room_;
  std::uint16_t* chances_;
  std::uint16_t* near_ = nullptr;
};

}  // namespace logpx::codec::adaptive
