#include "libcore/train/tree_sum.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/grad/block_kernels.hpp"

#include <algorithm>
#include <functional>

namespace logpx {
namespace {

constexpr std::int64_t range_elements = 1 << 13;  // 32 KiB of each block: a range stays in cache

void add(float* to, const float* from, std::int64_t n) { active_block_kernels().add(to, from, n); }

template <typename Range>
void over_ranges(std::int64_t elements, Workers& workers, const Range& range) {
  const auto task = [&](std::int64_t r) {
    const det::FpEnvironment plain;
    const std::int64_t begin = r * range_elements;
    range(begin, std::min(range_elements, elements - begin));
  };
  workers.run((elements + range_elements - 1) / range_elements, std::ref(task));
}

}  // namespace

void tree_sum(std::span<Tensor<float>> blocks, Workers& workers) {
  if (blocks.size() < 2) return;
  over_ranges(blocks[0].size(), workers, [&](std::int64_t begin, std::int64_t n) {
    for (std::size_t stride = 1; stride < blocks.size(); stride *= 2)
      for (std::size_t b = 0; b + stride < blocks.size(); b += 2 * stride)
        add(blocks[b].data() + begin, blocks[b + stride].data() + begin, n);
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

void TreeCounter::add(std::span<const float> block, Workers& workers) {
  // The new block carries through the levels that are full: level 0 with it, 1 with that sum ...
  std::size_t level = 0;
  while ((filled_ >> level & 1) != 0) ++level;
  LOGPX_ASSERT(level < levels_.size());
  over_ranges(std::ssize(block), workers, [&](std::int64_t begin, std::int64_t n) {
    float* const to = levels_[level].data() + begin;
    std::copy_n(block.data() + begin, n, to);
    for (std::size_t below = 0; below < level; ++below)
      logpx::add(to, levels_[below].data() + begin, n);
  });
  ++filled_;
}

std::span<float> TreeCounter::sum(Workers& workers) {
  LOGPX_ASSERT(filled_ > 0);
  std::span<float> total;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if ((filled_ >> level & 1) == 0) continue;
    if (!total.empty()) add_block(levels_[level].span(), total, workers);
    total = levels_[level].span();
  }
  return total;
}

std::int64_t TreeCounter::bytes() const {
  std::int64_t sum = 0;
  for (const Tensor<float>& level : levels_) sum += level.size();
  return sum * static_cast<std::int64_t>(sizeof(float));
}

void add_block(std::span<float> to, std::span<const float> from, Workers& workers) {
  over_ranges(std::ssize(to), workers, [&](std::int64_t begin, std::int64_t n) {
    add(to.data() + begin, from.data() + begin, n);
  });
}

}  // namespace logpx
