#include "libcore/math/hmc.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::hmc_test {
namespace {

// N(0, variance_d) in each dimension.
ChainDensity gaussian(std::vector<double> variances) {
  return [variances](std::span<const float> z, std::span<double> log_density,
                     std::span<float> gradient) {
    for (std::size_t c = 0; c < log_density.size(); ++c) log_density[c] = 0;
    for (std::size_t e = 0; e < z.size(); ++e) {
      const std::size_t d = e % variances.size();
      log_density[e / variances.size()] -=
          static_cast<double>(z[e]) * static_cast<double>(z[e]) / variances[d] / 2;
      gradient[e] = static_cast<float>(-static_cast<double>(z[e]) / variances[d]);
    }
  };
}

std::vector<std::uint64_t> counted(std::size_t n) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

TEST_CASE("hmc: a Gaussian target keeps its moments within 4 standard errors") {
  constexpr std::size_t chains = 500;
  const std::vector<double> variances{1, 4};
  const ChainDensity density = gaussian(variances);
  const std::vector<std::uint64_t> numbers = counted(chains);
  ChainStates states = start_chains(std::vector<float>(chains * 2), 2, density);
  std::vector<StepSize> sizes(chains, StepSize(0.9));
  std::vector<double> steps(chains, 0.1), means[2], squares[2];
  double accept = 0;
  for (std::uint32_t t = 0; t < 250; ++t) {
    const HmcOutcome outcome =
        hmc_move(states, density, {10, steps}, chain_noise(Rng(4), t, numbers));
    for (std::size_t c = 0; c < chains; ++c) {
      if (t < 100) sizes[c].update(outcome.accept[c]), steps[c] = sizes[c].value();
      else accept += outcome.accept[c] / (150 * chains);
    }
  }
  // The last state of every chain: chains are independent.
  for (std::size_t e = 0; e < states.z.size(); ++e) {
    const auto z = static_cast<double>(states.z[e]);
    means[e % 2].push_back(z);
    squares[e % 2].push_back(z * z);
  }
  for (std::size_t d = 0; d < 2; ++d) {
    const double mean = std::accumulate(means[d].begin(), means[d].end(), 0.0) / chains,
                 square = std::accumulate(squares[d].begin(), squares[d].end(), 0.0) / chains;
    CHECK(std::abs(mean) < 4 * std::sqrt(variances[d] / chains));
    CHECK(std::abs(square - variances[d]) < 4 * variances[d] * std::sqrt(2.0 / chains));
  }
  // With frozen steps, each chain its own, acceptance stays near the target.
  CHECK(std::abs(accept - 0.9) < 0.1);
}

TEST_CASE("hmc: the noise of a chain depends on its number alone") {
  const ChainDensity density = gaussian({1, 1, 1});
  const std::vector<std::uint64_t> all{7, 8, 9}, one{8};
  const std::vector<double> steps(3, 0.3);
  ChainStates together = start_chains(std::vector<float>(9, 0.5f), 3, density),
              alone = start_chains(std::vector<float>(3, 0.5f), 3, density);
  for (std::uint32_t t = 0; t < 5; ++t) {
    hmc_move(together, density, {4, steps}, chain_noise(Rng(2), t, all));
    hmc_move(alone, density, {4, std::span(steps).first(1)}, chain_noise(Rng(2), t, one));
  }
  CHECK(std::equal(alone.z.begin(), alone.z.end(), together.z.begin() + 3));
  CHECK(together.z[0] != together.z[3]);
}

TEST_CASE("hmc: a proposal without finite energy is rejected and counted") {
  // A wall at |z| > 1: behind it the density is NaN.
  const ChainDensity walled = [](std::span<const float> z, std::span<double> log_density,
                                 std::span<float> gradient) {
    for (std::size_t c = 0; c < z.size(); ++c) {
      log_density[c] = std::abs(z[c]) > 1 ? std::numeric_limits<double>::quiet_NaN() : 0;
      gradient[c] = 0;
    }
  };
  const std::vector<std::uint64_t> numbers = counted(200);
  const std::vector<double> steps(200, 1);
  ChainStates states = start_chains(std::vector<float>(200), 1, walled);
  const HmcOutcome outcome = hmc_move(states, walled, {1, steps}, chain_noise(Rng(1), 0, numbers));
  // P(|v| > 1) = 0.317: within 4 standard errors.
  CHECK(std::abs(static_cast<double>(outcome.non_finite) - 63.4) < 27);
  CHECK(outcome.accepted == 200 - outcome.non_finite);
  for (const float z : states.z) CHECK(std::abs(z) <= 1);
}

TEST_CASE("hmc: a step size stays within its limits and can go on from a checkpoint") {
  StepSize size(0.9);
  CHECK(size.value() == 0.1);
  for (int i = 0; i < 1000; ++i) size.update(0);
  CHECK(size.value() == 1e-4);
  for (int i = 0; i < 10000; ++i) size.update(1);
  CHECK(size.value() == 2);
  StepSize a(0.65), b(0.65, a.value(), a.updates());
  a.update(0.5);
  b = StepSize(0.65, a.value(), a.updates());
  a.update(0.7);
  b.update(0.7);
  CHECK(a.value() == b.value());
}

}  // namespace logpx::hmc_test
