// Sums in a fixed pairwise tree: stride 1, 2, 4 ..., the lower of two taking in the upper. Shards,
// ranks and micro-batches all add up this way, so the result never depends on who computed what.
// [spec/core.md section 11]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/math/tensor.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// blocks[0] becomes the sum of all; the others are used up. Elementwise, in parallel over ranges.
void tree_sum(std::span<Tensor<float>> blocks, Workers& workers);
// Rows of a matrix [rows, columns] into its first row.
void tree_sum(std::span<double> matrix, std::int64_t rows, std::int64_t columns);

// The same tree over blocks that come one after the other: holds one block per level, like the
// digits of a binary counter.
class TreeCounter {
 public:
  TreeCounter() = default;
  // Room for `count` additions of blocks of this size.
  TreeCounter(std::int64_t elements, std::int64_t count);

  void clear() { filled_ = 0; }
  void add(std::span<const float> block, Workers& workers);
  // The sum of what was added since clear(); valid until the next add().
  [[nodiscard]] std::span<float> sum(Workers& workers);
  [[nodiscard]] std::int64_t bytes() const;

 private:
  std::vector<Tensor<float>> levels_;
  std::uint64_t filled_ = 0;  // additions; bit l: level l holds a sum
};

// to[i] += from[i], in parallel over ranges.
void add_block(std::span<float> to, std::span<const float> from, Workers& workers);

}  // namespace logpx
