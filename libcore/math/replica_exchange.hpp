// Temperatures of power posteriors, and swaps between chains at neighbouring ones.
// [math/README 10.3]
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// Temperatures t_k = (k / count)^power, k = 0 .. count.   [KAEM eq. 35]
[[nodiscard]] std::vector<double> power_temperatures(std::int64_t count, double power);
// The power of update i of n, which goes from `start` to `end` by half a cosine, or by `cycles`
// whole ones more.
struct PowerCourse {
  double start = 1, end = 1;
  std::int64_t cycles = 0;
};
[[nodiscard]] double power_at(const PowerCourse& course, std::int64_t i, std::int64_t n);

// log of the probability ratio of states (k, k + 1) exchanged and as they are, for targets
// p(x|z)^t p(z): (t_(k+1) - t_k) (ll_k - ll_(k+1)).
struct ReplicaPair {
  double t = 0, t_next = 1, log_likelihood = 0, log_likelihood_next = 0;
};
[[nodiscard]] double swap_log_ratio(const ReplicaPair& pair);
[[nodiscard]] bool swap_accepted(double log_ratio, double u);

// random: one neighbouring pair, for all chains the same. alternating: all even pairs in even
// rounds, all odd pairs in odd ones.
enum class SwapPairs { random, alternating };
// Decided chain by chain, or once for all chains by the sum of their log ratios.
enum class SwapScope { chain, joint };

struct ReplicaLadder {
  std::span<const double> temperatures;  // [K], rising
  std::span<double> log_likelihood;      // [K, chains]: exchanged with the states
  SwapPairs pairs = SwapPairs::random;
  SwapScope scope = SwapScope::chain;
};
struct SwapCounts {
  std::vector<std::int64_t> tried, accepted;  // [K - 1], by pair
};
// `exchange(k, chain)` swaps what else belongs to the states k and k + 1 of a chain. A chain's
// uniform is element numbers[chain] * K + k of Stream::swap, sub-stream `round`.
SwapCounts exchange_replicas(const ReplicaLadder& ladder, Rng rng, std::uint32_t round,
                             std::span<const std::uint64_t> numbers,
                             const std::function<void(std::int64_t, std::int64_t)>& exchange);

}  // namespace logpx
