#include "libcore/train/tree_sum.hpp"

#include "libcore/base/rng.hpp"
#include "libcore/train/ranks.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <vector>

namespace logpx::tree_sum_test {
namespace {

constexpr std::int64_t size = 20'011;

std::vector<Tensor<float>> blocks(std::int64_t count) {
  std::vector<Tensor<float>> all;
  for (std::int64_t b = 0; b < count; ++b) {
    Tensor<float>& block = all.emplace_back(Shape{size});
    const Substream noise(5, Stream::test, static_cast<std::uint32_t>(b));
    for (std::int64_t i = 0; i < size; ++i)
      block[i] = static_cast<float>(noise.uniform(static_cast<std::uint64_t>(i)) - 0.5);
  }
  return all;
}

// The definition: halves of the power of two at or above, upper added to lower.
float tree(const std::vector<Tensor<float>>& all, std::size_t begin, std::size_t end,
           std::int64_t i) {
  if (end - begin == 1) return all[begin][i];
  const std::size_t middle = begin + std::bit_ceil(end - begin) / 2;
  return tree(all, begin, middle, i) + tree(all, middle, end, i);
}

}  // namespace

TEST_CASE("tree_sum: a fixed tree, for any number of threads, also for blocks one by one") {
  for (const std::int64_t count : {1, 2, 3, 4, 7, 8}) {
    CAPTURE(count);
    const std::vector<Tensor<float>> all = blocks(count);
    const std::vector<BlockRange> pieces = cut_pieces(std::vector<BlockRange>{{0, size}});
    for (const int threads : {1, 2}) {
      Workers workers(threads);
      std::vector<Tensor<float>> summed = all;
      tree_sum(summed, pieces, workers);
      TreeCounter counter(size, count);
      for (int round = 0; round < 2; ++round) {
        counter.clear(pieces);
        for (const Tensor<float>& block : all) counter.add(block.span(), workers);
      }
      const std::span<const float> one_by_one = counter.sum(workers);
      int differences = 0;
      for (std::int64_t i = 0; i < size; ++i) {
        const float truth = tree(all, 0, all.size(), i);
        if (summed[0][i] != truth || one_by_one[static_cast<std::size_t>(i)] != truth)
          ++differences;
      }
      CHECK(differences == 0);
    }
  }
}

TEST_CASE("tree_sum: rows of doubles go the same way") {
  std::vector<double> matrix = {1, 10, 2, 20, 4, 40};
  tree_sum(matrix, 3, 2);
  CHECK(matrix[0] == 7);
  CHECK(matrix[1] == 70);
}

TEST_CASE("ranks: without a launcher there is one, and its sums are the values") {
  const auto ranks = join_ranks();
  CHECK(ranks->size() == 1);
  CHECK(ranks->first());
  std::vector<float> values = {1, 2};
  ranks->sum(std::span<float>(values));
  CHECK(values[1] == 2);
  CHECK_NOTHROW(ranks->require_same("settings", "{}"));
}

}  // namespace logpx::tree_sum_test
