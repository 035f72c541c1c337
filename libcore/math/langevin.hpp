// Langevin moves of many chains side by side, in double: unadjusted, Metropolis-adjusted, and with
// a step size found anew for every move.   [math/README 10.1, 10.2]
//
//   LangevinChains chains = start_langevin(z, dims, density);
//   mala_move(chains, density, steps, langevin_noise(rng, move, numbers));
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// log f(z) of every chain, up to a constant, and its gradient: z and gradient [chains, dims].
using LangevinDensity = std::function<void(std::span<const double> z, std::span<double> log_density,
                                           std::span<double> gradient)>;

struct LangevinChains {
  std::int64_t chains = 0, dims = 0;
  std::vector<double> z = {};            // [chains, dims]
  std::vector<double> log_density = {};  // [chains], at z
  std::vector<double> gradient = {};     // [chains, dims], at z
};
[[nodiscard]] LangevinChains start_langevin(std::vector<double> z, std::int64_t dims,
                                            const LangevinDensity& density);

// Copies the state of a chain, which then goes on from there.
void adopt_chain(const LangevinChains& from, LangevinChains& to, std::size_t chain);

// Normals of `normals`, element numbers[c] * dims + d; acceptance compares with uniforms of
// `accept`, from element 4 numbers[c]. A chain's noise hence depends on its number alone.
struct LangevinNoise {
  Substream normals, accept;
  std::span<const std::uint64_t> numbers;  // [chains]
};
[[nodiscard]] LangevinNoise langevin_noise(Rng rng, std::uint32_t move,
                                           std::span<const std::uint64_t> numbers);

// A density on a box, continued beyond its walls as in mirrors. Moves on it, each followed by
// fold(), keep exactly the density on the box.
struct Box {
  std::vector<double> low, high;  // [dims]
};
[[nodiscard]] LangevinDensity mirrored(LangevinDensity density, Box box);
void fold(LangevinChains& chains, const Box& box);

// The step eta of each chain, and the scale s of each dimension (empty: 1):
// z' = z + eta s^2 grad + sqrt(2 eta) s xi.
struct LangevinSteps {
  std::span<const double> eta;          // [chains]
  std::span<const double> scales = {};  // [dims]
};

struct LangevinOutcome {
  std::vector<double> accept;  // probability of each chain's proposal
  std::int64_t accepted = 0;
  std::int64_t non_finite = 0;  // proposals of no finite density: rejected
};

void ula_move(LangevinChains& chains, const LangevinDensity& density, const LangevinSteps& steps,
              const LangevinNoise& noise);
LangevinOutcome mala_move(LangevinChains& chains, const LangevinDensity& density,
                          const LangevinSteps& steps, const LangevinNoise& noise);

// One chain's proposal, and log of pi(z') q(z | z') / (pi(z) q(z' | z)).
struct LangevinPoint {
  std::span<const double> z, gradient;
  double log_density = 0;
};
void langevin_proposal(const LangevinPoint& from, double eta, std::span<const double> scales,
                       std::span<const double> xi, std::span<double> z);
[[nodiscard]] double mala_log_ratio(const LangevinPoint& from, const LangevinPoint& to, double eta,
                                    std::span<const double> scales);

// autoMALA: one leapfrog step of eta_0 2^j, j found so that the change of energy lies between two
// random bounds; a move is taken back unless its reverse finds the same j. [Biron-Lattes et al.]
struct AutoStep {
  double eta = 0.1, least = 1e-10, most = 1e10;  // eta_0 and the limits of the search
  std::span<const double> scales = {};           // [dims], 1 / sqrt of the masses
};
enum class Correction { none, metropolis };

// Where the search from z with momentum y [chains, dims] ends.
struct AutoLeap {
  LangevinChains end;
  std::vector<double> momentum;   // [chains, dims], flipped
  std::vector<int> exponent;      // j
  std::vector<double> log_ratio;  // of the joint density
};
struct AutoBounds {
  std::span<const double> log_a, log_b;  // [chains], a < b in (0,1)
};
[[nodiscard]] AutoLeap auto_leap(const LangevinChains& from, std::span<const double> momentum,
                                 const LangevinDensity& density, const AutoStep& step,
                                 const AutoBounds& bounds);

struct AutoOutcome {
  LangevinOutcome moves;
  double mean_eta =
      0;  // of accepted moves, to be the next eta_0; the present one if there are none
};
struct AutoMove {
  AutoStep step;
  Correction correction = Correction::metropolis;
};
AutoOutcome auto_mala_move(LangevinChains& chains, const LangevinDensity& density,
                           const AutoMove& move, const LangevinNoise& noise);

}  // namespace logpx
