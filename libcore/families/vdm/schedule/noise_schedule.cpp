#include "libcore/families/vdm/schedule/noise_schedule.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace logpx::vdm {
namespace {

// 1 / (20 t (1 + e^-gamma)), t = sqrt((ln(1 + e^gamma) - 1e-4) / 10), at least 1e-3: uniform times
// of beta-linear as a density of gamma.
CurvePoint simple_weight(double gamma) {
  constexpr double least_time = 1e-3;
  const double share = det_sigmoid(gamma);  // 1 / (1 + e^-gamma)
  const double inside = (det_softplus(gamma) - 1e-4) / 10;
  const double time = std::sqrt(std::max(0.0, inside));
  if (time <= least_time) {
    const double w = share / (20 * least_time);
    return {w, w * (1 - share)};
  }
  const double w = share / (20 * time), time_slope = share / (20 * time);
  return {w, w * (1 - share) - w * time_slope / time};
}

}  // namespace

void WeightTable::check(const std::string& subject) const {
  const auto refuse = [&](const std::string& why) { fail(ErrorKind::data, subject, why); };
  if (gamma.size() != w.size() || gamma.empty())
    refuse("has " + std::to_string(gamma.size()) + " values of gamma and " +
           std::to_string(w.size()) + " of w");
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (!std::isfinite(gamma[i]) || (i > 0 && !(gamma[i] > gamma[i - 1])))
      refuse("gamma does not rise at point " + std::to_string(i));
    if (!std::isfinite(w[i]) || w[i] < 0)
      refuse("w is no weight at point " + std::to_string(i) + ": it is at least 0");
  }
}

LossWeight::LossWeight(const std::string& word, WeightTable table) : table_(std::move(table)) {
  const std::string_view text = word;
  const std::string_view name = text.substr(0, text.find(':'));
  const std::string_view rest = name.size() < text.size() ? text.substr(name.size() + 1) : "";
  if (word == "vlb") return;
  if (word == "simple") {
    rule_ = Rule::simple;
    return;
  }
  if (name == "table" && !table_.gamma.empty()) {
    rule_ = Rule::table;
    return;
  }
  const std::optional<double> number = parse_real(rest);
  const bool sigmoid = name == "sigmoid", clip = name == "snr-clip";
  if (!number || !(sigmoid || (clip && *number > 0)))
    fail(ErrorKind::usage, "--weight",
         "is '" + word + "', expected vlb, simple, sigmoid:B, snr-clip:K or table:FILE");
  rule_ = sigmoid ? Rule::sigmoid : Rule::snr_clip;
  number_ = *number;
}

CurvePoint LossWeight::at(double gamma) const {
  switch (rule_) {
    case Rule::vlb: break;
    case Rule::simple: return simple_weight(gamma);
    case Rule::sigmoid: {
      const double w = det_sigmoid(gamma + number_);
      return {w, w * (1 - w)};
    }
    case Rule::snr_clip: {
      const double snr = det_exp(-gamma);
      return snr < number_ ? CurvePoint{snr, -snr} : CurvePoint{number_, 0};
    }
    case Rule::table: return table_at(gamma);
  }
  return {1, 0};
}

CurvePoint LossWeight::table_at(double gamma) const {
  const auto& [points, w] = table_;
  if (gamma <= points.front()) return {w.front(), 0};
  if (gamma >= points.back()) return {w.back(), 0};
  const auto after = std::ranges::upper_bound(points, gamma);
  const auto i = static_cast<std::size_t>(after - points.begin());
  const double slope = (w[i] - w[i - 1]) / (points[i] - points[i - 1]);
  return {w[i - 1] + slope * (gamma - points[i - 1]), slope};
}

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
