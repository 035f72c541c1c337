#include "libcore/math/replica_exchange.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace logpx {
namespace {

// A number that no chain has: its uniforms choose the pair, and decide joint swaps.
constexpr std::uint64_t for_all = std::uint64_t{1} << 40;

}  // namespace

std::vector<double> power_temperatures(std::int64_t count, double power) {
  std::vector<double> t;
  for (std::int64_t k = 0; k <= count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count);
    t.push_back(k == 0 ? 0 : det_exp(power * det_log(share)));
  }
  return t;
}

double power_at(const PowerCourse& course, std::int64_t i, std::int64_t n) {
  if (n == 0) return course.start;
  const double turns = static_cast<double>(course.cycles) + 0.5;
  const double angle =
      2 * std::numbers::pi * turns * static_cast<double>(i) / static_cast<double>(n);
  return course.start + (course.end - course.start) * (1 - det_sincos(angle).cos) / 2;
}

double swap_log_ratio(const ReplicaPair& pair) {
  const double log_ratio =
      (pair.t_next - pair.t) * (pair.log_likelihood - pair.log_likelihood_next);
  return std::isnan(log_ratio) ? 0 : log_ratio;  // both impossible, or equal temperatures
}

bool swap_accepted(double log_ratio, double u) { return det_log(u) < std::min(0.0, log_ratio); }

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
