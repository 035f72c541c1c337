// The evidence estimator of the original paper's appendix, for a few latent dimensions:
//
//   log p(x) ~ -log (1/n) sum_l q(z_l) / p(x, z_l),   z_l ~ p(z|x) by HMC, q fitted to other draws
//
// Consistent, but in practice it misses mass outside its samples and overestimates: never a bound.
// [AEVB appendix D; eval/README 3.3]
#pragma once

#include "libcore/eval/evidence.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// A density fitted to a handful of points, for the reciprocal evidence estimator.
// [eval/README 3.3]
enum class FitKind { gauss, diag, kde };

struct FitOptions {
  FitKind kind = FitKind::gauss;
  double ridge = 1e-6;  // added to the variances
  double shrink = 0.9;  // factor on the covariance: keeps q / p bounded
};

// N(mean, shrink (covariance + ridge I)), with the biased covariance, full or diagonal; or a
// Gaussian kernel of that shape around each point, at Scott's width n^(-2/(dims+4)).
class FittedDensity {
 public:
  FittedDensity(std::span<const double> points, std::int64_t dims, const FitOptions& options);
  [[nodiscard]] double log_density(std::span<const double> z) const;
  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }

 private:
  // log N(z; centre, L L^T)
  [[nodiscard]] double log_normal(std::span<const double> z, std::span<const double> centre) const;
  void factorise();

  FitOptions options_;
  std::size_t dims_;
  std::vector<double> points_, mean_, factor_;  // factor_: Cholesky, lower [dims, dims]
};

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
