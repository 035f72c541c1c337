// Which rows a step takes: a pure function of (seed, step), so that a run that goes on needs no
// stored permutation.   [train/README 4.1]
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class EpochOrder {
 public:
  // Steps take `step_rows` rows each; the last of an epoch may be short, or left out.
  enum class Short { keep, drop };
  EpochOrder(std::int64_t rows, std::int64_t step_rows, Short last, std::uint64_t seed);

  [[nodiscard]] std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  [[nodiscard]] std::int64_t epoch_of(std::int64_t step) const { return step / steps_per_epoch_; }
  [[nodiscard]] std::int64_t samples_before(std::int64_t step) const;
  // The fewest steps that go through so many rows.
  [[nodiscard]] std::int64_t steps_for(std::int64_t samples) const;
  // The rows of a step, shuffled; valid until the next call. Allocates nothing.
  [[nodiscard]] std::span<const std::int64_t> rows_of(std::int64_t step);

 private:
  void shuffle(std::int64_t epoch);

  std::int64_t rows_, step_rows_, steps_per_epoch_, epoch_ = -1;
  Rng rng_;
  std::vector<std::int64_t> order_;
};

}  // namespace logpx
