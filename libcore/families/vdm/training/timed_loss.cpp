#include "libcore/families/vdm/training/timed_loss.hpp"

#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {

std::int64_t TimedLosses::step_of(double u) const {
  const auto steps = static_cast<double>(timesteps_);
  return std::min(static_cast<std::int64_t>(std::floor(u * steps)) + 1, timesteps_);
}

TimedLoss TimedLosses::at(const NoiseSchedule& schedule, double u) const {
  if (is_continuous()) {
    const CurvePoint gamma = schedule.at(u), w = weight_.at(gamma.value);
    return {.time = u,
            .gamma = gamma.value,
            .factor = 0.5 * gamma.slope * w.value,
            .by_gamma = 0.5 * gamma.slope * w.slope,
            .by_slope = 0.5 * w.value};
  }
  const auto steps = static_cast<double>(timesteps_), step = static_cast<double>(step_of(u));
  TimedLoss loss{.time = step / steps, .earlier = (step - 1) / steps};
  loss.gamma = schedule.gamma(loss.time);
  const CurvePoint w = weight_.at(loss.gamma);
  const double rise = det_expm1(loss.gamma - schedule.gamma(loss.earlier));
  loss.factor = 0.5 * steps * rise * w.value;
  loss.by_earlier = -0.5 * steps * (rise + 1) * w.value;
  loss.by_gamma = 0.5 * steps * ((rise + 1) * w.value + rise * w.slope);
  return loss;
}

double stratified_time(double first, std::int64_t place, std::int64_t rows) {
  const double time = first + static_cast<double>(place) / static_cast<double>(rows);
  return time - std::floor(time);
}

ScheduleParameters::Gradient schedule_gradient(const NoiseSchedule& schedule,
                                               std::span<const RowPull> rows,
                                               std::size_t curve_size, const PullRule& rule) {
  ScheduleParameters::Gradient gradient;
  std::vector<double> times;
  std::vector<CurvePoint> pulls;
  const auto pull = [&](double time, CurvePoint at, double of_curve) {
    if (rule.ends) {
      const Endpoints slope = schedule.end_gradient(time, at);
      gradient.ends.first += slope.first;
      gradient.ends.last += slope.last;
    }
    times.push_back(time);
    pulls.push_back({of_curve * at.value, of_curve * at.slope});
  };
  const double scale = rule.share * rule.unit;
  for (const auto& [loss, error, by_error] : rows) {
    // E[L] does not depend on the curve, so the gradient of its variance is that of E[L^2].
    const double of_curve = rule.continuous ? 2 * loss.factor * error * rule.unit : 1;
    pull(loss.time, {scale * (loss.by_gamma * error + by_error), scale * loss.by_slope * error},
         of_curve);
    if (!rule.continuous) pull(loss.earlier, {scale * loss.by_earlier * error, 0}, of_curve);
  }
  if (!rule.curve) return gradient;
  gradient.curve.resize(curve_size);
  schedule.add_curve_gradient(times, pulls, gradient.curve);
  return gradient;
}

}  // namespace logpx::vdm
