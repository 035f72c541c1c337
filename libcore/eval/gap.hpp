// What keeps a bound below the evidence, and what the latents do: diagnostics of models with an
// encoder.   [eval/README 6]
#pragma once

#include "libcore/eval/evidence.hpp"
#include "libcore/eval/likelihood.hpp"
#include "libcore/model/abilities.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

// q of each example optimised on its own, by Adam on (mean, log_var) with the decoder fixed, from
// where the encoder put it.
struct RefineOptions {
  std::int64_t steps = 500, draws = 10;
  double rate = 0.01;
};
[[nodiscard]] Posterior refine(const LatentBlock& block, const Posterior& start,
                               const RefineOptions& options);

// (1/L) sum_l log p(x, z_l) - log q(z_l|x) per example, with the draws of every evaluation, so that
// two q of one example are compared on the same noise.
[[nodiscard]] std::vector<double> elbo_of(const LatentBlock& block, const Posterior& q,
                                          std::int64_t draws);

// log p(x) = ELBO + KL(q || p(z|x)): the second term, split at the ELBO of q refined for each
// example. Both parts are non-negative up to noise.
struct Gap {
  Estimate elbo, refined_elbo;
  Estimate total, amortisation, approximation;
};
struct GapSettings {
  std::int64_t draws = 100;  // for both bounds, on the same noise
  RefineOptions refine = {};
};
[[nodiscard]] Gap measure_gap(const EvalRows& rows, Workers& workers, const Abilities& can,
                              const Scored& evidence, const GapSettings& settings, Rng rng);

// Per latent, over the examples: KL(q(z_j|x) || N(0,1)), moments of the aggregate posterior.
struct LatentFacts {
  std::vector<double> kl, mean, variance;
  std::vector<double> activity;  // Var_x(E_q[z_j]), the biased one
  std::int64_t active = 0;       // how many exceed 0.01
  bool collapsed = false;        // every KL_j below 0.01
  // I_q(x;z) = E KL(q(z|x) || p) - KL(q(z) || p); q(z) by weighting a minibatch of posteriors.
  double mutual_information = 0;
};
[[nodiscard]] LatentFacts latent_facts(const Posterior& q, Rng rng);

}  // namespace logpx
