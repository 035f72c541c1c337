// The sum of a gradient over shards, and over the ranks when started by mpirun:
//
//   mpirun -n 2 logpx-bench sum
#include "libcore/base/clock.hpp"
#include "libcore/train/ranks.hpp"
#include "libcore/train/tree_sum.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <limits>

namespace logpx::bench {
namespace {

constexpr std::int64_t elements = 814'000;  // parameters of a small VAE
constexpr int shards = 8;

void bench_shards(Bench& bench) {
  std::vector<Tensor<float>> blocks;
  for (int s = 0; s < shards; ++s) blocks.emplace_back(Shape{elements});
  Workers workers(1);
  const std::vector<BlockRange> pieces = cut_pieces(std::vector<BlockRange>{{0, elements}});
  const double seconds = bench.seconds([&] { tree_sum(blocks, pieces, workers); });
  bench.add({.name = "814,000 floats of 8 shards, in one process, 1 thread",
             .value = 1e3 * seconds,
             .unit = "ms",
             .share = {},
             .floor = {},
             .of = {}});
}

// The same number of times on every rank, since all take part in each sum.
double rank_seconds(Ranks& ranks) {
  Tensor<float> block(Shape{elements});
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 50; ++round) {
    double ready[1] = {0};
    ranks.sum(std::span<double>(ready));
    const double begin = wall_seconds();
    ranks.sum(block.span());
    best = std::min(best, wall_seconds() - begin);
  }
  return best;
}

}  // namespace

void bench_sum(Bench& bench) {
  const auto ranks = join_ranks();
  if (ranks->first()) bench_shards(bench);
  if (ranks->size() == 1) return;
  const double seconds = rank_seconds(*ranks);
  if (ranks->first())
    bench.add({.name = "814,000 floats over " + std::to_string(ranks->size()) + " ranks by MPI",
               .value = 1e3 * seconds,
               .unit = "ms",
               .share = {},
               .floor = {},
               .of = {}});
}

}  // namespace logpx::bench
