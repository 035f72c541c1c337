#include "libcore/eval/chains.hpp"

#include "libcore/base/fields.hpp"

namespace logpx {

Rng own_generator(Rng rng, Stream stream, std::uint32_t use) {
  const Words4 words = rng.stream(stream, use).block(0);
  return Rng((std::uint64_t{words[0]} << 32) | words[1]);
}

std::vector<std::uint64_t> chain_numbers(const LatentBlock& block, std::int64_t chains) {
  std::vector<std::uint64_t> numbers;
  for (std::int64_t c = 0; c < chains; ++c)
    for (std::int64_t i = 0; i < block.rows(); ++i)
      numbers.push_back(static_cast<std::uint64_t>((block.examples.first + i) * chains + c));
  return numbers;
}

std::vector<float> draw_prior_starts(const LatentBlock& block, const PriorStarts& starts, Rng rng) {
  const std::int64_t rows = block.rows(), dims = block.latents.dims();
  std::vector<float> z(static_cast<std::size_t>(starts.chains * rows * dims)),
      row(static_cast<std::size_t>(starts.chains * dims));
  for (std::int64_t i = 0; i < rows; ++i) {
    block.latents.draw_prior(row, (block.examples.first + i) * starts.draws + starts.first, rng);
    for (std::int64_t e = 0; e < starts.chains * dims; ++e)
      z[static_cast<std::size_t>((e / dims * rows + i) * dims + e % dims)] =
          row[static_cast<std::size_t>(e)];
  }
  return z;
}

void add_chains(Fields& f, std::int64_t& chains) {
  f.add("ais-chains", chains, "chains per example").range(1, 1 << 16).rank(Rank::manual);
}

void add_moves(Fields& f, int& leapfrog, double& accept) {
  f.add("ais-leapfrog", leapfrog, "leapfrog steps per move").range(1, 10'000).rank(Rank::manual);
  f.add("ais-accept", accept, "acceptance that step sizes are adapted to")
      .range(0.05, 0.99)
      .rank(Rank::manual);
}

}  // namespace logpx
