#include "libcore/train/tree_sum.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/grad/block_kernels.hpp"

#include <algorithm>
#include <functional>

namespace logpx {
namespace {

constexpr std::int64_t piece_elements = 1 << 13;  // 32 KiB of each block

void add_range(float* to, const float* from, std::int64_t n) {
  active_block_kernels().add(to, from, n);
}

template <typename Piece>
void over_pieces(std::span<const BlockRange> pieces, Workers& workers, const Piece& piece) {
  const auto task = [&](std::int64_t p) {
    const det::FpEnvironment plain;
    piece(pieces[at(p)].begin, pieces[at(p)].end - pieces[at(p)].begin);
  };
  workers.run(std::ssize(pieces), std::ref(task));
}

}  // namespace

std::vector<BlockRange> cut_pieces(std::span<const BlockRange> ranges) {
  std::vector<BlockRange> pieces;
  for (const BlockRange& range : ranges)
    for (std::int64_t begin = range.begin; begin < range.end; begin += piece_elements)
      pieces.push_back({begin, std::min(begin + piece_elements, range.end)});
  return pieces;
}

void tree_sum(std::span<Tensor<float>> blocks, std::span<const BlockRange> pieces,
              Workers& workers) {
  if (blocks.size() < 2) return;
  over_pieces(pieces, workers, [&](std::int64_t begin, std::int64_t n) {
    for (std::size_t stride = 1; stride < blocks.size(); stride *= 2)
      for (std::size_t b = 0; b + stride < blocks.size(); b += 2 * stride)
        add_range(blocks[b].data() + begin, blocks[b + stride].data() + begin, n);
  });
}

void tree_sum(std::span<double> matrix, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t stride = 1; stride < rows; stride *= 2)
    for (std::int64_t r = 0; r + stride < rows; r += 2 * stride)
      for (std::int64_t c = 0; c < columns; ++c)
        matrix[at(r * columns + c)] += matrix[at((r + stride) * columns + c)];
}

TreeCounter::TreeCounter(std::int64_t elements, std::int64_t count) {
  for (std::int64_t reach = 1; reach <= count; reach *= 2) levels_.emplace_back(Shape{elements});
}

void TreeCounter::clear(std::span<const BlockRange> pieces) {
  filled_ = 0;
  pieces_ = pieces;
}

void TreeCounter::add(std::span<const float> block, Workers& workers) {
  // The new block carries through the levels that are full: level 0 with it, 1 with that sum ...
  std::size_t level = 0;
  while ((filled_ >> level & 1) != 0) ++level;
  LOGPX_ASSERT(level < levels_.size());
  over_pieces(pieces_, workers, [&](std::int64_t begin, std::int64_t n) {
    float* const to = levels_[level].data() + begin;
    std::copy_n(block.data() + begin, n, to);
    for (std::size_t below = 0; below < level; ++below)
      add_range(to, levels_[below].data() + begin, n);
  });
  ++filled_;
}

std::span<float> TreeCounter::sum(Workers& workers) {
  LOGPX_ASSERT(filled_ > 0);
  std::span<float> total;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if ((filled_ >> level & 1) == 0) continue;
    if (!total.empty()) add_block(levels_[level].span(), total, pieces_, workers);
    total = levels_[level].span();
  }
  return total;
}

std::int64_t TreeCounter::bytes() const {
  std::int64_t sum = 0;
  for (const Tensor<float>& level : levels_) sum += level.size();
  return sum * static_cast<std::int64_t>(sizeof(float));
}

void add_block(std::span<float> to, std::span<const float> from, std::span<const BlockRange> pieces,
               Workers& workers) {
  over_pieces(pieces, workers, [&](std::int64_t begin, std::int64_t n) {
    add_range(to.data() + begin, from.data() + begin, n);
  });
}

void clear_block(std::span<float> block, std::span<const BlockRange> pieces, Workers& workers) {
  over_pieces(pieces, workers, [&](std::int64_t begin, std::int64_t n) {
    std::fill_n(block.data() + begin, n, 0.0F);
  });
}

}  // namespace logpx
