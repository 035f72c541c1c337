#include "libcore/math/replica_exchange.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

// The number that no chain has: its uniforms choose the pair, and decide for all together.
constexpr std::uint64_t for_all = std::uint64_t{1} << 40;

}  // namespace

double swap_log_ratio(const ReplicaPair& pair) {
  const double log_ratio =
      (pair.t_next - pair.t) * (pair.log_likelihood - pair.log_likelihood_next);
  return std::isnan(log_ratio) ? 0 : log_ratio;  // both impossible, or equal temperatures
}

bool swap_accepted(double log_ratio, double u) { return std::log(u) < std::min(0.0, log_ratio); }

SwapCounts exchange_replicas(const ReplicaLadder& ladder, Rng rng, std::uint32_t round,
                             std::span<const std::uint64_t> numbers,
                             const std::function<void(std::int64_t, std::int64_t)>& exchange) {
  const std::size_t steps = ladder.temperatures.size(), chains = numbers.size();
  LOGPX_ASSERT(steps >= 2 && ladder.log_likelihood.size() == steps * chains);
  const Substream uniforms = rng.stream(Stream::swap, round);
  SwapCounts counts{std::vector<std::int64_t>(steps - 1), std::vector<std::int64_t>(steps - 1)};
  const auto chosen =
      std::min(static_cast<std::size_t>(uniforms.uniform(for_all) * static_cast<double>(steps - 1)),
               steps - 2);
  for (std::size_t k = 0; k + 1 < steps; ++k) {
    if (ladder.pairs == SwapPairs::random ? k != chosen : k % 2 != round % 2) continue;
    double *const here = &ladder.log_likelihood[k * chains], *const next = here + chains;
    std::vector<double> log_ratios(chains);
    double joint = 0;
    for (std::size_t c = 0; c < chains; ++c)
      joint += log_ratios[c] =
          swap_log_ratio({ladder.temperatures[k], ladder.temperatures[k + 1], here[c], next[c]});
    const bool all =
        ladder.scope == SwapScope::joint && swap_accepted(joint, uniforms.uniform(for_all + 1 + k));
    for (std::size_t c = 0; c < chains; ++c) {
      ++counts.tried[k];
      if (ladder.scope == SwapScope::joint
              ? !all
              : !swap_accepted(log_ratios[c], uniforms.uniform(numbers[c] * steps + k)))
        continue;
      ++counts.accepted[k];
      std::swap(here[c], next[c]);
      exchange(static_cast<std::int64_t>(k), static_cast<std::int64_t>(c));
    }
  }
  return counts;
}

}  // namespace logpx
