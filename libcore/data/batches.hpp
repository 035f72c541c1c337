// Minibatches: rows of a source in the order of an epoch, as a model takes them.
//
//   Batches batches(source, {.begin = 0, .end = 50'000, .size = 128}, seed);
//   for (std::int64_t b = 0; b < batches.per_epoch(); ++b)
//     train_step(batches.training(epoch, b).x);
//
// The order of an epoch is a pure function of (seed, epoch), and every random bit of a row one of
// (seed, epoch, row of the dataset): a run that goes on from a checkpoint needs no other state.
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/data/binarise.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx {

enum class Dequantise { none, uniform };

struct BatchSettings {
  std::int64_t begin = 0, end = 0;  // rows of the source
  std::int64_t size = 64;
  Binarisation binarise = {};
  Dequantise dequantise = Dequantise::none;
};

struct Batch {
  std::vector<std::int64_t> rows;    // [M] their numbers in the source
  std::vector<float> x;              // images [M, C, H, W], as stored 0..255; others [M, D]
  std::vector<std::int32_t> y;       // [M], empty when there are no labels
  std::vector<std::int32_t> length;  // [M], empty when all rows are whole
  std::vector<double> true_logp;     // [M], empty when not known
};

class Batches {
 public:
  // A source that is slow at single rows (a compressed file) had better be read into MemoryRows.
  // Binarisation of anything but pictures of 256 levels, and dequantisation of what is continuous,
  // are usage errors.
  Batches(RowSource& source, const BatchSettings& settings, std::uint64_t seed);

  // The last batch of an epoch may be short; none is padded.
  [[nodiscard]] std::int64_t per_epoch() const;

  // Shuffled, with the random bits of this epoch.
  [[nodiscard]] Batch training(std::uint32_t epoch, std::int64_t index);
  // In order, with the random bits that every model is evaluated on.
  [[nodiscard]] Batch evaluation(std::int64_t index);

  // Rows of the source in the order of an epoch.
  [[nodiscard]] std::vector<std::int64_t> epoch_order(std::uint32_t epoch) const;

 private:
  struct Noise {
    Substream bits, dequantisation;
  };
  [[nodiscard]] Batch gather(std::vector<std::int64_t> rows, const Noise& noise);
  void take(const Rows& read, std::int64_t from, std::size_t slot, Batch& batch,
            const Noise& noise) const;
  [[nodiscard]] std::vector<float> values_of(const Rows& read, std::size_t from) const;

  RowSource& source_;
  BatchSettings settings_;
  Rng rng_;
  std::optional<std::uint32_t> epoch_;
  std::vector<std::int64_t> order_;  // of epoch_
};

}  // namespace logpx
