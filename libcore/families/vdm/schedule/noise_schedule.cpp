#include "libcore/families/vdm/schedule/noise_schedule.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {
namespace {

Endpoints ends_of(const NoiseCurve& curve) { return {curve.at(0).value, curve.at(1).value}; }

void check_rises(const std::string& what, const Endpoints& ends) {
  if (ends.gap() > 0 && std::isfinite(ends.gap())) return;
  fail(ErrorKind::data, what,
       "goes from " + to_text(ends.first) + " to " + to_text(ends.last) + ": it must rise");
}

}  // namespace

NoiseSchedule::NoiseSchedule(std::unique_ptr<const NoiseCurve> curve, Endpoints ends)
    : NoiseSchedule(std::shared_ptr<const NoiseCurve>(std::move(curve)), ends) {}

NoiseSchedule::NoiseSchedule(std::shared_ptr<const NoiseCurve> curve, Endpoints ends)
    : curve_(std::move(curve)), own_(ends_of(*curve_)), ends_(ends) {
  check_rises("the noise schedule", own_);
  check_rises("the noise schedule between its endpoints", ends_);
}

NoiseSchedule::NoiseSchedule(std::unique_ptr<const NoiseCurve> curve)
    : curve_(std::move(curve)), own_(ends_of(*curve_)), ends_(own_) {
  check_rises("the noise schedule", own_);
}

CurvePoint NoiseSchedule::share(double t) const {
  const CurvePoint g = curve_->at(t);
  return {(g.value - own_.first) / own_.gap(), g.slope / own_.gap()};
}

// Both ends are met exactly.
CurvePoint NoiseSchedule::at(double t) const {
  const CurvePoint s = share(t);
  const double gamma = t == 1 ? ends_.last : ends_.first + ends_.gap() * s.value;
  return {gamma, ends_.gap() * s.slope};
}

double NoiseSchedule::time_of(double gamma) const {
  if (gamma <= ends_.first) return 0;
  if (gamma >= ends_.last) return 1;
  const double value = own_.first + own_.gap() * ((gamma - ends_.first) / ends_.gap());
  return std::clamp(curve_->time_of(value), 0.0, 1.0);
}

Endpoints NoiseSchedule::end_gradient(double t, CurvePoint pull) const {
  const CurvePoint s = share(t);
  const double last = s.value * pull.value + s.slope * pull.slope;
  return {.first = pull.value - last, .last = last};
}

void NoiseSchedule::add_curve_gradient(std::span<const double> times,
                                       std::span<const CurvePoint> pulls,
                                       std::span<double> gradient) const {
  const double scale = ends_.gap() / own_.gap();
  Endpoints through;  // of g(0) and g(1)
  through.first = through.last = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Endpoints end = end_gradient(times[i], pulls[i]);
    through.first -= scale * end.first;
    through.last -= scale * end.last;
    const CurvePoint pull = {scale * pulls[i].value, scale * pulls[i].slope};
    curve_->add_gradient(times[i], pull, gradient);
  }
  curve_->add_gradient(0, {through.first, 0}, gradient);
  curve_->add_gradient(1, {through.last, 0}, gradient);
}

}  // namespace logpx::vdm
