// Which rows a step takes: a pure function of (seed, step), so that a run that goes on needs no
// stored permutation.   [train/README 4.1]
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/data/row_store.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class EpochOrder {
 public:
  // Steps take `step_rows` rows each; the last of an epoch may be short, or left out. Rows that are
  // read in chunks are shuffled in windows, of as many chunks as are held at once.
  enum class Short { keep, drop };
  EpochOrder(std::int64_t rows, std::int64_t step_rows, Short last, std::uint64_t seed,
             RowChunks chunks = {});

  [[nodiscard]] std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  [[nodiscard]] std::int64_t epoch_of(std::int64_t step) const { return step / steps_per_epoch_; }
  [[nodiscard]] std::int64_t samples_before(std::int64_t step) const;
  // The fewest steps that go through so many rows.
  [[nodiscard]] std::int64_t steps_for(std::int64_t samples) const;
  // The rows of a step, shuffled; valid until the next call. Allocates nothing.
  [[nodiscard]] std::span<const std::int64_t> rows_of(std::int64_t step);

 private:
  void shuffle(std::int64_t epoch);
  [[nodiscard]] std::span<const std::int64_t> window_rows(std::int64_t epoch, std::int64_t window);
  void shuffle_chunks(std::int64_t epoch);
  void shuffle_window(std::int64_t epoch, std::int64_t window);

  std::int64_t rows_, step_rows_, steps_per_epoch_, epoch_ = -1, window_ = -1;
  RowChunks chunks_;
  Rng rng_;
  std::vector<std::int64_t> order_;        // of the epoch, or of the window
  std::vector<std::int64_t> chunk_order_;  // of the epoch
  std::vector<std::int64_t> step_;         // rows of a step that may be of two windows
};

}  // namespace logpx
