// Evidence from samples of power posteriors, p_t(z) = p(x|z)^t p(z) / Z_t, at temperatures that
// rise from the prior (t = 0) to the posterior (t = 1).   [KAEM eqs. 29-32; eval/README 4]
//
//   d log Z_t / dt = E_t[log p(x|z)]
//
// from Z_0 = 1 to Z_1 = p(x).
//
//   const LatentBlock block{latents, examples, rng};
//   const Scores scores = thermodynamic_integration(block, {.temps = 10}, TiFormula::corrected);
#pragma once

#include "libcore/eval/evidence.hpp"
#include "libcore/eval/power_chains.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// The mean and the variance of log p(x|z) at every temperature.
struct PowerMoments {
  std::vector<double> t = {}, mean = {}, variance = {};  // t_k, E_k, V_k
};

// With dt_k = t_k - t_(k-1), sums over k >= 1 of
//   left       dt_k E_(k-1)
//   right      dt_k E_k
//   trapezoid  dt_k (E_(k-1) + E_k) / 2
//   corrected  the same less dt_k^2 (V_k - V_(k-1)) / 12
//   eq32       left without its first term, as the paper has it
// left <= log p(x) <= right for the true E_t, which never falls; samples promise neither.
enum class TiFormula { left, right, trapezoid, corrected, eq32 };
// The terms of that sum: what each step adds to log Z_t.
[[nodiscard]] std::vector<double> ti_terms(TiFormula formula, const PowerMoments& moments);

// Sums of log(Z_(t_k) / Z_(t_(k-1))), estimated from one end of each step or from the other:
//   forward  log mean exp(dt_k l) at t_(k-1), below it on average
//   reverse  -log mean exp(-dt_k l) at t_k, above it for exact samples
// where l = log p(x|z). Chains that come from below lag behind, which keeps the first below; the
// second may then lie anywhere, so that it is no bound.
enum class SteppingStone { forward, reverse };

// Facts of both: E_k, V_k and log_Z_t_k by the formula, at every temperature; accept; r_hat, the
// largest split R-hat; between_chains, by how much the log mean of the evidences of single chains
// exceeds their mean log, which is large if chains sit in different modes; and, except for stones
// forward, `discretisation`, by how much the formula exceeds another. The error of a row joins
// these two with the jackknife over chains.   [eval/README 4.3]
inline constexpr const char* r_hat_fact = "r_hat";
[[nodiscard]] Scores thermodynamic_integration(const LatentBlock& block,
                                               const PowerOptions& options, TiFormula formula);
[[nodiscard]] Scores stepping_stones(const LatentBlock& block, const PowerOptions& options,
                                     SteppingStone direction);

}  // namespace logpx
