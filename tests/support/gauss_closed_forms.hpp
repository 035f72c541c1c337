// What diffusion models of normal data do, in closed form.   [vdm/README 13]
#pragma once

#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/scoring/time_points.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

namespace logpx::gauss_diffusion {

using vdm::CurveKind;
using vdm::Endpoints;
using vdm::NoiseSchedule;
using vdm::Process;
using vdm::TimeIntegral;
using vdm::TimePoint;
using vdm::Transition;

inline NoiseSchedule schedule_of(CurveKind kind, Endpoints ends) {
  return {vdm::make_curve({.kind = kind}, {}), ends};
}

// E ||eps - eps_hat||^2 of one component given x; eps - eps_hat is normal with these.
struct ErrorAt {
  double mean2, variance;
  ErrorAt(double lambda, double x, double gamma) {
    const double v = std::exp(-gamma), whole = 1 + v * lambda;
    mean2 = v * x * x / (whole * whole);
    variance = v * lambda / whole * (v * lambda / whole);
  }
  [[nodiscard]] double first() const { return mean2 + variance; }
  [[nodiscard]] double second() const {
    return mean2 * mean2 + 6 * mean2 * variance + 3 * variance * variance;
  }
};

inline double discrete_term(const TimeIntegral& steps, double lambda, double x) {
  double sum = 0;
  for (std::int64_t i = 1; i <= steps.steps(); ++i) {
    const TimePoint point = steps.step(i);
    sum += point.weight * ErrorAt(lambda, x, point.gamma).first();
  }
  return sum / static_cast<double>(steps.steps());
}

// The variance of z_0 under the model of these steps.
inline double variance_of_first(std::span<const double> gammas, double lambda) {
  const Process process;
  double variance = 1;
  for (std::size_t i = gammas.size() - 1; i > 0; --i) {
    const Transition step = transition(process.at(gammas[i - 1]), process.at(gammas[i]));
    const double factor =
        step.mean_by_noise(1, step.t.sigma / (step.t.alpha2 * lambda + step.t.sigma2));
    variance = factor * factor * variance + step.deviation * step.deviation;
  }
  return variance;
}

// -ln N(x; 0, variance)
inline double normal_nats(double x, double variance) {
  return 0.5 * (std::log(2 * std::numbers::pi) + std::log(variance) + x * x / variance);
}

}  // namespace logpx::gauss_diffusion
