// The chains of a shard in one update: Langevin moves at every temperature, and exchanges between
// neighbouring ones.   [kaem/README 7]
//
//   ChainWalk walk(target, options, {.eta = 0.01}, shard);
//   walk.start(std::move(places));
//   for (std::int64_t i = 0; i < options.steps; ++i) walk.move(i);
#pragma once

#include "libcore/families/kaem/chains/chain_space.hpp"
#include "libcore/families/kaem/chains/langevin_options.hpp"
#include "libcore/math/langevin.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace logpx::kaem {

// log p(x|s) of s [K M, Q], and t times its slopes by s; chain k M + i is that of row i at t_k.
using TemperedLikelihood = std::function<void(
    std::span<const float> s, std::span<double> log_likelihood, std::span<float> by_s)>;

// p(x|z)^t p(z) at t_1 .. t_K. Where there is a box, mirrors keep chains inside.
struct TemperedTarget {
  ChainSpace& space;
  const PriorForm& form;
  TemperedLikelihood likelihood;
  std::span<const double> t;  // [K]
  std::optional<Box> box = {};
};

// The step, and deviations of places: automala adapts both from update to update.
struct WalkTuning {
  double eta = 0.01;
  std::span<const double> deviations = {};  // [dims]
};

struct WalkOutcome {
  double accept = 0;              // summed over all moves of all chains
  double etas = 0, accepted = 0;  // automala: sum of eta over accepted moves, and their number
  std::vector<double> tried, exchanged;  // by pair of neighbours
};

class ChainWalk {
 public:
  ChainWalk(TemperedTarget target, const LangevinOptions& options, const WalkTuning& tuning,
            const Shard& shard);
  // Places [K M, dims]. A numeric error that names the row where log p(x|z) is not finite.
  void start(std::vector<double> places);
  // Move i of the update. A numeric error for an unadjusted chain that runs away.
  void move(std::int64_t i);
  [[nodiscard]] const std::vector<double>& places() const { return chains_.z; }
  [[nodiscard]] const WalkOutcome& outcome() const { return outcome_; }

 private:
  void density(std::span<const double> c, std::span<double> log_density,
               std::span<double> gradient);
  void propose(std::int64_t i);
  void exchange(std::int64_t i);
  void swap_states(std::int64_t k, std::int64_t row);
  void require_near(std::int64_t i) const;
  [[nodiscard]] std::vector<double> scales(const LangevinNoise& noise) const;

  TemperedTarget target_;
  const LangevinOptions& options_;
  WalkTuning tuning_;
  const Shard& shard_;
  std::vector<std::uint64_t> numbers_, rows_;  // of chains, of rows in the step
  std::vector<double> etas_;
  LangevinDensity density_;
  LangevinChains chains_;
  WalkOutcome outcome_;
  std::vector<double> z_, log_prior_, prior_gradient_;
  std::vector<float> s_, by_s_;
};

}  // namespace logpx::kaem
