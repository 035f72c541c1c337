// The forward process: how much noise is mixed with x at gamma = -ln SNR, and the Gaussians between
// two such levels. All by libcore/det, so that the coder has the same numbers everywhere.
// [VDM sec. 3.1, app. A; vdm/README 3]
//
//   const Transition step = transition(process.at(gamma_s), process.at(gamma_t));   // s < t
//   const double z_s = step.mean_by_noise(z_t, eps_hat) + step.deviation * eps;
//
// where z = alpha x + sigma eps.
#pragma once

#include "libcore/det/functions.hpp"

#include <cmath>

namespace logpx::vdm {

// preserving: alpha^2 + sigma^2 = 1; exploding: alpha = 1.
enum class Variance { preserving, exploding };

struct NoiseLevel {
  double gamma = 0, alpha = 1, sigma = 0;
  double alpha2 = 1, sigma2 = 0;
  double log_alpha2 = 0, log_sigma2 = 0;
  // Factor on z that gives z of the variance-preserving process, which networks read.
  double to_network = 1;
};

struct Process {
  Variance variance = Variance::preserving;
  [[nodiscard]] NoiseLevel at(double gamma) const;
  // KL(q(z_1|x) || p(z_1)) of one component.
  [[nodiscard]] static double prior_nats(double gamma_1, double x);
  // The standard deviation of p(z_1).
  [[nodiscard]] double prior_deviation(double gamma_1) const;
};

// x_hat from the predicted noise in z, and the noise in z from x_hat.
[[nodiscard]] inline double clean_of(const NoiseLevel& level, double z, double noise) {
  return (z - level.sigma * noise) / level.alpha;
}
[[nodiscard]] inline double noise_of(const NoiseLevel& level, double z, double x) {
  return (z - level.alpha * x) / level.sigma;
}

// From level s to the noisier level t, and back.
struct Transition {
  NoiseLevel s, t;
  double c = 0;         // 1 - SNR(t) / SNR(s)
  double snr_loss = 0;  // SNR(s) / SNR(t) - 1
  // q(z_t|z_s) = N(carry z_s, diffusion^2)
  double carry = 1, diffusion = 0;
  // of q(z_s|z_t, x) and p(z_s|z_t); their means follow from x or from the noise in z_t
  double deviation = 0;

  [[nodiscard]] double mean_by_noise(double z, double noise) const {
    return s.alpha / t.alpha * (z - t.sigma * c * noise);
  }
  [[nodiscard]] double mean_by_clean(double z, double x) const {
    return carry * s.sigma2 / t.sigma2 * z + s.alpha * c * x;
  }
  // KL between the two, by the squared error of the noise, or of x.
  [[nodiscard]] double kl_by_noise(double distance2) const { return 0.5 * snr_loss * distance2; }
  [[nodiscard]] double kl_by_clean(double distance2) const {
    return 0.5 * snr_loss * det_exp(-t.gamma) * distance2;
  }
};
[[nodiscard]] Transition transition(const NoiseLevel& s, const NoiseLevel& t);

}  // namespace logpx::vdm
