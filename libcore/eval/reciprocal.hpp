// The evidence estimator of the original paper's appendix, for a few latent dimensions:
//
//   log p(x) ~ -log (1/n) sum_l q(z_l) / p(x, z_l),   z_l ~ p(z|x) by HMC, q fitted to other draws
//
// Consistent, but in practice it misses mass outside its samples and overestimates: never a bound.
// [AEVB appendix D; eval/README 3.3]
#pragma once

#include "libcore/eval/density_fit.hpp"
#include "libcore/eval/evidence.hpp"

#include <span>

namespace logpx {

struct ReciprocalOptions {
  std::int64_t fit_samples = 50, samples = 50, burn = 100, repeats = 4;
  int leapfrog = 4;
  double accept = 0.9;
  FitOptions fit = {};
  bool any_latent = false;  // more than 4 dimensions are refused without
  void describe(Fields& fields);
};
// The mean over independent repeats; their spread gives the error. Facts: accept.
[[nodiscard]] Scores reciprocal(const LatentBlock& block, const ReciprocalOptions& options);

void check_reciprocal(const ModelLatents& latents, const ReciprocalOptions& options);

// The formula: log q and log p(x,z) of the samples.
[[nodiscard]] double reciprocal_estimate(std::span<const double> log_q,
                                         std::span<const double> log_joint);

}  // namespace logpx
