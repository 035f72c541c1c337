// How noisy stochastic gradients are: for an integral over one Gaussian variable, where closed
// forms are known, and for a model's own estimators.   [eval/README 6.2]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/model/gradients.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace logpx {

struct Integrand {
  std::function<double(double)> value, slope;
};
// Single-draw estimates of the gradient of E[f(z)], z = mu + sigma eps.
struct GradientDraw {
  double pathwise_mu = 0, pathwise_sigma = 0;  // f'(z), f'(z) eps
  double score_mu = 0, score_sigma = 0;        // f(z) eps / sigma, f(z) (eps^2 - 1) / sigma
};
[[nodiscard]] GradientDraw draw_gradient(const Integrand& f, double mu, double sigma, double eps);

// f(z) = (z - a)^2 + offset.
struct ToyStudy {
  double mu = 0.5, sigma = 1, a = 2, offset = 0;
  std::int64_t num = 220, repeats = 10'000;
};
[[nodiscard]] Integrand quadratic(const ToyStudy& toy);
// Exact variances of the single draws.
[[nodiscard]] GradientDraw quadratic_variances(const ToyStudy& toy);

struct ToyEstimator {
  std::string estimator, parameter;  // "pathwise", "mu"
  double truth = 0, exact_variance = 0;
  double mean = 0, variance = 0;            // over `repeats` draws
  std::vector<double> draws, running_mean;  // the first `num`
};
[[nodiscard]] std::vector<ToyEstimator> study_toy(const ToyStudy& toy, Rng rng);

// Per parameter tensor, averaged over its elements.
struct PartVariance {
  std::string name;
  std::int64_t elements = 0;
  double variance = 0;     // over repeats, unbiased
  double mean_square = 0;  // of the mean gradient
};
struct EstimatorVariance {
  std::string estimator;
  std::vector<PartVariance> parts;
};
[[nodiscard]] std::vector<EstimatorVariance> study_gradients(const ModelGradients& model,
                                                             const Examples& minibatch,
                                                             std::int64_t repeats, Rng rng,
                                                             Workers& workers);

}  // namespace logpx
