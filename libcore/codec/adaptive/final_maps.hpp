// The last correction of a chance, by what it has come to mean in three small contexts.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace logpx::codec::adaptive {

// The chance that a logit has come to mean in a context: a curve through sixteen points at equal
// distances, of which the nearest to the logit learns.
class FinalMap {
 public:
  static constexpr int points = 16;
  static constexpr std::size_t row_bytes = 2 * points;

  explicit FinalMap(std::size_t rows) : room_(rows * row_bytes) {
    for (std::size_t i = 0; i < rows * points; ++i) {
      const int x = static_cast<int>(i % points) * 2 * (most_logit + 1) / (points - 1);
      chances()[i] = static_cast<std::uint16_t>(chance_of(within_logits(x - most_logit - 1)));
    }
  }
  void prefetch(std::uint32_t row) const { __builtin_prefetch(chances() + row * points, 1); }
  // The chance of a one, of 16 bits.
  [[nodiscard]] int refine(int logit, std::uint32_t row) {
    const int at = (logit + most_logit + 1) * 5, left = at >> 11, share = at & 2047;
    std::uint16_t* const here = chances() + row * points + left;
    near_ = here + (share >> 10);
    return (here[0] * (2048 - share) + here[1] * share) >> 11;
  }
  void learn(int bit) {
    const int goal = bit ? 65535 : 0;
    *near_ = static_cast<std::uint16_t>(*near_ + ((goal - *near_) >> 6));
  }

 private:
  static_assert((2 * (most_logit + 1)) * 5 >> 11 == points - 1);
  [[nodiscard]] std::uint16_t* chances() const {
    return reinterpret_cast<std::uint16_t*>(room_.data());
  }

  Room room_;
  std::uint16_t* near_ = nullptr;
};

// The mean of a chance and of what three maps make of it: by the bits of this byte and the repeat
// that foretells the next one, and by two contexts of the kind of data.
class FinalMaps {
 public:
  // `rows` for each context, a power of two.
  explicit FinalMaps(std::size_t rows)
      : by_node_(4 * 256),
        by_narrow_(rows),
        by_wide_(rows),
        row_mask_(static_cast<std::uint32_t>(rows - 1)) {}

  void begin_byte(std::uint32_t narrow, std::uint32_t wide) {
    narrow_ = narrow << 8;
    wide_ = hash_of(wide, 99) >> 16;
    prefetch(1);
    prefetch(2);
  }
  // The chance of a one, in 16 bits. `whole`: a 1, then the bits of this byte so far; `repeat`:
  // from 0, where no repeat foretells the bit, to 4 for a long one.
  [[nodiscard]] std::uint32_t refine(int logit, unsigned whole, int repeat) {
    constexpr unsigned rows[] = {0, 1, 1, 2, 3};
    const int sum = chance_of(logit) + by_node_.refine(logit, whole | rows[repeat] << 8) +
                    by_narrow_.refine(logit, (narrow_ | whole) & row_mask_) +
                    by_wide_.refine(logit, (wide_ ^ whole) & row_mask_);
    // The four rows that may be next but one; two of them share a line.
    prefetch(4 * whole & 255);
    prefetch((4 * whole & 255) + 2);
    return static_cast<std::uint32_t>(std::clamp(sum >> 2, 4, 65532));
  }
  void learn(int bit) {
    by_node_.learn(bit);
    by_narrow_.learn(bit);
    by_wide_.learn(bit);
  }

 private:
  void prefetch(unsigned whole) const {
    by_narrow_.prefetch((narrow_ | whole) & row_mask_);
    by_wide_.prefetch((wide_ ^ whole) & row_mask_);
  }

  FinalMap by_node_, by_narrow_, by_wide_;
  std::uint32_t narrow_ = 0, wide_ = 0, row_mask_;
};

}  // namespace logpx::codec::adaptive
