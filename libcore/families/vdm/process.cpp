#include "libcore/families/vdm/process.hpp"

namespace logpx::vdm {
namespace {

// ln(1 + e^x), with all digits where that is small.
double log_one_plus_exp(double x) {
  return (x > 0.0 ? x : 0.0) + det_log1p(det_exp(-std::fabs(x)));
}

}  // namespace

NoiseLevel Process::at(double gamma) const {
  NoiseLevel level{.gamma = gamma};
  const double preserved = det_sigmoid(-gamma);
  if (variance == Variance::preserving) {
    level.alpha2 = preserved;
    level.sigma2 = det_sigmoid(gamma);
    level.log_alpha2 = -log_one_plus_exp(gamma);
    level.log_sigma2 = -log_one_plus_exp(-gamma);
  } else {
    level.alpha2 = 1;
    level.sigma2 = det_exp(gamma);
    level.log_alpha2 = 0;
    level.log_sigma2 = gamma;
    level.to_network = std::sqrt(preserved);
  }
  level.alpha = std::sqrt(level.alpha2);
  level.sigma = std::sqrt(level.sigma2);
  return level;
}

double Process::prior_nats(double gamma_1, double x) {
  const NoiseLevel last = Process{}.at(gamma_1);
  // sigma^2 - 1 = -alpha^2
  return 0.5 * (last.alpha2 * (x * x - 1) - last.log_sigma2);
}

double Process::prior_deviation(double gamma_1) const {
  return variance == Variance::preserving ? 1.0 : std::sqrt(1.0 + det_exp(gamma_1));
}

Transition transition(const NoiseLevel& s, const NoiseLevel& t) {
  Transition step{.s = s, .t = t};
  step.c = -det_expm1(s.gamma - t.gamma);
  step.snr_loss = det_expm1(t.gamma - s.gamma);
  step.carry = t.alpha / s.alpha;
  const double root = std::sqrt(step.c);
  step.diffusion = t.sigma * root;
  step.deviation = s.sigma * root;
  return step;
}

}  // namespace logpx::vdm
