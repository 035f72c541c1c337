#include "libcore/math/hmc.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

std::size_t elements(const ChainStates& states) {
  return static_cast<std::size_t>(states.chains * states.dims);
}

double kinetic_energy(std::span<const float> v) {
  double sum = 0;
  for (const float x : v) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum / 2;
}

// x[c, d] += factor * steps[c] * y[c, d]
void advance(std::span<float> x, std::span<const float> y, double factor,
             std::span<const double> steps) {
  const std::size_t dims = x.size() / std::max<std::size_t>(steps.size(), 1);
  for (std::size_t e = 0; e < x.size(); ++e)
    x[e] += static_cast<float>(factor * steps[e / dims]) * y[e];
}

void copy_chain(const ChainStates& from, ChainStates& to, std::size_t chain) {
  const auto dims = static_cast<std::size_t>(from.dims);
  to.log_density[chain] = from.log_density[chain];
  for (std::size_t e = chain * dims; e < (chain + 1) * dims; ++e) {
    to.z[e] = from.z[e];
    to.gradient[e] = from.gradient[e];
  }
}

}  // namespace

ChainStates start_chains(std::vector<float> z, std::int64_t dims, const ChainDensity& density) {
  ChainStates states{.chains = std::ssize(z) / dims, .dims = dims, .z = std::move(z)};
  states.log_density.resize(static_cast<std::size_t>(states.chains));
  states.gradient.resize(elements(states));
  density(states.z, states.log_density, states.gradient);
  return states;
}

ChainNoise chain_noise(Rng rng, std::uint32_t move, std::span<const std::uint64_t> numbers) {
  return {rng.stream(Stream::hmc_momentum, move), rng.stream(Stream::hmc_accept, move), numbers};
}

void leapfrog(ChainStates& states, std::vector<float>& v, const ChainDensity& density,
              const Trajectory& trajectory) {
  advance(v, states.gradient, 0.5, trajectory.steps);
  for (int i = 0; i < trajectory.leapfrog; ++i) {
    advance(states.z, v, 1, trajectory.steps);
    density(states.z, states.log_density, states.gradient);
    advance(v, states.gradient, i + 1 < trajectory.leapfrog ? 1 : 0.5, trajectory.steps);
  }
}

HmcOutcome hmc_move(ChainStates& states, const ChainDensity& density, const Trajectory& trajectory,
                    const ChainNoise& noise) {
  const auto chains = static_cast<std::size_t>(states.chains);
  const auto dims = static_cast<std::size_t>(states.dims);
  LOGPX_ASSERT(noise.numbers.size() == chains && trajectory.steps.size() == chains);
  std::vector<float> v(chains * dims);
  std::vector<double> kinetic(chains);
  const auto of_chain = [&](std::size_t c) { return std::span(v).subspan(c * dims, dims); };
  for (std::size_t c = 0; c < chains; ++c) {
    fill_normals(noise.momentum, noise.numbers[c] * dims, of_chain(c));
    kinetic[c] = kinetic_energy(of_chain(c));
  }
  ChainStates proposal = states;
  leapfrog(proposal, v, density, trajectory);

  HmcOutcome outcome{.accept = std::vector<double>(chains)};
  for (std::size_t c = 0; c < chains; ++c) {
    const double change = (proposal.log_density[c] - kinetic_energy(of_chain(c))) -
                          (states.log_density[c] - kinetic[c]);
    if (!std::isfinite(change)) {
      ++outcome.non_finite;
      continue;
    }
    outcome.accept[c] = std::min(1.0, det_exp(change));
    if (noise.accept.uniform(noise.numbers[c]) >= outcome.accept[c]) continue;
    ++outcome.accepted;
    copy_chain(proposal, states, c);
  }
  return outcome;
}

void StepSize::update(double acceptance) {
  ++updates_;
  const double eta = std::max(0.05, det_exp(-0.6 * det_log(static_cast<double>(updates_))));
  value_ = std::clamp(value_ * det_exp(eta * (acceptance - target_)), 1e-4, 2.0);
}

}  // namespace logpx
