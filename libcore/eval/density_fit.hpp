// A density fitted to a handful of points, for the reciprocal evidence estimator.
// [eval/README 3.3]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

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

}  // namespace logpx
