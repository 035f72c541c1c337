// The forward process: how much noise is mixed with x at gamma = -ln SNR, and the Gaussians between
// two such levels. All by libcore/det, so that the coder has the same numbers everywhere.
// [VDM sec. 3.1, app. A; vdm/README 3]
//
//   const Transition step = transition(process.at(gamma_s), process.at(gamma_t));   // s < t
//   const double z_s = step.mean_by_noise(z_t, eps_hat) + step.deviation * eps;
//
// where z = alpha x + sigma eps.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace logpx::vdm {

// p(x|z_0): for levels, a softmax over all of them by their squared distance to z_0 / alpha_0; for
// real numbers, a normal.   [VDM sec. 3.2, app. B; vdm/README 6.1]
//
//   const LevelDecoder decoder(256, gamma_0);
//   const double nats = decoder.log_probability(level, z_0 / alpha_0);

// Level k of V as a number between -1 and 1, in the middle of its cell.
[[nodiscard]] inline double value_of_level(std::int64_t k, std::int64_t levels) {
  return 2 * (static_cast<double>(k) + 0.5) / static_cast<double>(levels) - 1;
}
[[nodiscard]] inline std::int64_t level_of_value(double x, std::int64_t levels) {
  return std::lround((x + 1) * static_cast<double>(levels) / 2 - 0.5);
}
// The largest such value; the smallest is its negative.
[[nodiscard]] inline double top_value(std::int64_t levels) {
  return 1 - 1 / static_cast<double>(levels);
}

// p(x|z_0) of one component, with r = z_0 / alpha_0. Sums leave out levels that are 12 deviations
// further away than the nearest one is.
class LevelDecoder {
 public:
  LevelDecoder(std::int64_t levels, double gamma_0);

  [[nodiscard]] double log_probability(std::int64_t level, double r) const;
  // Derivatives of ln p by r, and by gamma_0 at fixed r.
  struct Slopes {
    double r = 0, gamma_0 = 0;
  };
  [[nodiscard]] Slopes slopes(std::int64_t level, double r) const;
  // The mean level, and a draw by u in (0, 1).
  [[nodiscard]] double mean_level(double r) const;
  [[nodiscard]] std::int64_t draw(double r, double u) const;
  // p of each level over that of the nearest one: weights for the coder's tables.
  void weights(double r, std::span<double> each) const;

  [[nodiscard]] std::int64_t levels() const { return levels_; }

 private:
  // Levels that sums go over: [begin, end) around the one that is nearest to r.
  struct Window {
    std::int64_t nearest, begin, end;
    double off;  // r less the value of the nearest
  };
  [[nodiscard]] Window window(double r) const;
  // ln p less that of the nearest level, at most 0.
  [[nodiscard]] double relative(const Window& near, std::int64_t level) const {
    const double step = static_cast<double>(level - near.nearest) * spacing_;
    return -0.5 * precision_ * step * (step - 2 * near.off);
  }
  template <typename Use>
  void for_each_weight(const Window& near, Use use) const;

  std::int64_t levels_, reach_;
  double spacing_, precision_;
};

// -ln p(x|z_0) of one real component, with off = x - z_0 / alpha_0; and its expectation.
[[nodiscard]] double real_nats(double gamma_0, double off);
[[nodiscard]] double expected_real_nats(double gamma_0);

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
