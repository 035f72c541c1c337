// What methods that run Markov chains share: numbers, starts and knobs of the chains.
#pragma once

#include "libcore/eval/evidence.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

// A separate generator for one use: chains must not start from the draws that made x.
[[nodiscard]] Rng own_generator(Rng rng, Stream stream, std::uint32_t use);

// Chains lie as [chains, rows]; chain c of example i of the dataset has number i * chains + c,
// which addresses its noise.
[[nodiscard]] std::vector<std::uint64_t> chain_numbers(const LatentBlock& block,
                                                       std::int64_t chains);

// z [chains, rows, dims] ~ p(z). Every example has `draws` of its own; its chain c takes number
// first + c.
struct PriorStarts {
  std::int64_t chains = 1, first = 0, draws = 1;
};
[[nodiscard]] std::vector<float> draw_prior_starts(const LatentBlock& block,
                                                   const PriorStarts& starts, Rng rng);

// --ais-chains, --ais-leapfrog and --ais-accept.
void add_chains(Fields& fields, std::int64_t& chains);
void add_moves(Fields& fields, int& leapfrog, double& accept);

}  // namespace logpx
