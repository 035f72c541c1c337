// Sums in a fixed pairwise tree: stride 1, 2, 4 ..., the lower of two taking in the upper. Shards,
// ranks and micro-batches all add up this way, so the result never depends on who computed what.
// [train/README 3.2]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/math/tensor.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// Ranges of a block in pieces that threads share and that stay in a core's cache. What is summed
// element by element does not depend on where they are cut.
[[nodiscard]] std::vector<BlockRange> cut_pieces(std::span<const BlockRange> ranges);

// In these pieces blocks[0] becomes the sum of all, and the others are used up.
void tree_sum(std::span<Tensor<float>> blocks, std::span<const BlockRange> pieces,
              Workers& workers);
// Rows of a matrix [rows, columns] into its first row.
void tree_sum(std::span<double> matrix, std::int64_t rows, std::int64_t columns);

// The same tree over blocks that come one after the other: holds one block per level, like the
// digits of a binary counter.
class TreeCounter {
 public:
  TreeCounter() = default;
  // Room for `count` additions of blocks of this size.
  TreeCounter(std::int64_t elements, std::int64_t count);

  // What is added from now on lies in these pieces, which must live until the sum is taken.
  void clear(std::span<const BlockRange> pieces);
  void add(std::span<const float> block, Workers& workers);
  // The sum of what was added since clear(); valid until the next add().
  [[nodiscard]] std::span<float> sum(Workers& workers);
  [[nodiscard]] std::int64_t bytes() const;

 private:
  std::vector<Tensor<float>> levels_;
  std::span<const BlockRange> pieces_;
  std::uint64_t filled_ = 0;  // additions; bit l: level l holds a sum
};

// to[i] += from[i], and to[i] = 0, in these pieces.
void add_block(std::span<float> to, std::span<const float> from, std::span<const BlockRange> pieces,
               Workers& workers);
void clear_block(std::span<float> block, std::span<const BlockRange> pieces, Workers& workers);

}  // namespace logpx
