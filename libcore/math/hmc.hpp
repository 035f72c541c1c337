// Hamiltonian Monte Carlo for many chains side by side: leapfrog trajectories, acceptance, and the
// adaptation of step sizes. The density is a callback, so that one kernel serves Monte Carlo EM,
// annealed importance sampling and posterior samples.   [math/README 10.4]
//
//   ChainStates chains = start_chains(z, dims, density);
//   const HmcOutcome outcome = hmc_move(chains, density, {.leapfrog = 10, .steps = sizes}, noise);
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// log f(z) of every chain, up to a constant, and its gradient: z and gradient [chains, dims].
using ChainDensity = std::function<void(std::span<const float> z, std::span<double> log_density,
                                        std::span<float> gradient)>;

struct ChainStates {
  std::int64_t chains = 0, dims = 0;
  std::vector<float> z = {};             // [chains, dims]
  std::vector<double> log_density = {};  // [chains], at z
  std::vector<float> gradient = {};      // [chains, dims], at z
};
// Chains at z [chains, dims], their density evaluated.
[[nodiscard]] ChainStates start_chains(std::vector<float> z, std::int64_t dims,
                                       const ChainDensity& density);

// Momenta are normals of `momentum`, element numbers[c] * dims + d; acceptance compares with the
// uniform of `accept`, element numbers[c]. A chain's noise hence depends on its number alone.
struct ChainNoise {
  Substream momentum, accept;
  std::span<const std::uint64_t> numbers;  // [chains]
};
[[nodiscard]] ChainNoise chain_noise(Rng rng, std::uint32_t move,
                                     std::span<const std::uint64_t> numbers);

struct Trajectory {
  int leapfrog = 10;
  std::span<const double> steps;  // [chains]
};

// v += s/2 grad; repeat: z += s v, v += s grad (half a step at the end). Moves z and v in place.
void leapfrog(ChainStates& states, std::vector<float>& v, const ChainDensity& density,
              const Trajectory& trajectory);

struct HmcOutcome {
  std::vector<double> accept;  // probability of each chain's proposal
  std::int64_t accepted = 0;
  std::int64_t non_finite = 0;  // proposals of no finite energy: rejected
};
// One proposal for every chain, v ~ N(0, I), accepted with probability min(1, exp(-change of
// energy)). log_density and gradient must be those of `density` at z.
HmcOutcome hmc_move(ChainStates& states, const ChainDensity& density, const Trajectory& trajectory,
                    const ChainNoise& noise);

// s <- s exp(eta_t (a_t - target)), eta_t = max(0.05, t^-0.6), within [1e-4, 2].
class StepSize {
 public:
  explicit StepSize(double target = 0.9, double start = 0.1) : target_(target), value_(start) {}
  // What a checkpoint holds.
  StepSize(double target, double value, std::int64_t updates)
      : target_(target), value_(value), updates_(updates) {}
  void update(double acceptance);
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] std::int64_t updates() const { return updates_; }

 private:
  double target_, value_;
  std::int64_t updates_ = 0;
};

}  // namespace logpx
