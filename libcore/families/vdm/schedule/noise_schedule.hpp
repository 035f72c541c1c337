// gamma(t), minus the logarithm of the signal-to-noise ratio at time t in [0,1]:
//
//   gamma(t) = gamma_0 + (gamma_1 - gamma_0) S(t),   S(t) = (g(t) - g(0)) / (g(1) - g(0))
//
// for instance
//
//   const NoiseSchedule schedule(make_curve({.kind = CurveKind::beta_linear}, {}), {-13.3, 5});
//   const auto [gamma, slope] = schedule.at(0.5);
//
// [VDM sec. 3.2, app. H; vdm/README 4]
#pragma once

#include "libcore/families/vdm/schedule/noise_curve.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::vdm {

// w(gamma), a factor on the loss of each noise level. The loss is then no bound, but samples may be
// better.   [VDM app. K; vdm/README 5.2]
struct WeightTable {
  std::vector<double> gamma, w;  // linear between, constant outside
  // A data error that names `subject` unless gamma rises and w is not negative.
  void check(const std::string& subject) const;
};

class LossWeight {
 public:
  // vlb: 1;  simple: DDPM's loss under beta-linear;  sigmoid:b: sigmoid(gamma + b);
  // snr-clip:k: min(SNR, k);  table:FILE, whose table is given. A usage error names --weight.
  explicit LossWeight(const std::string& word, WeightTable table = {});

  [[nodiscard]] bool is_bound() const { return rule_ == Rule::vlb; }
  [[nodiscard]] CurvePoint at(double gamma) const;  // w and its derivative

 private:
  enum class Rule { vlb, simple, sigmoid, snr_clip, table };
  [[nodiscard]] CurvePoint table_at(double gamma) const;
  Rule rule_ = Rule::vlb;
  double number_ = 0;
  WeightTable table_;
};

struct Endpoints {
  double first = -13.3, last = 5;  // gamma_0 < gamma_1
  [[nodiscard]] double gap() const { return last - first; }
};

class NoiseSchedule {
 public:
  // A data error unless curve and endpoints rise: both may be those of a damaged model.
  NoiseSchedule(std::unique_ptr<const NoiseCurve> curve, Endpoints ends);
  // Between the curve's own endpoints, g(0) and g(1).
  explicit NoiseSchedule(std::unique_ptr<const NoiseCurve> curve);

  [[nodiscard]] const Endpoints& ends() const { return ends_; }
  [[nodiscard]] CurvePoint at(double t) const;  // gamma(t), gamma'(t)
  [[nodiscard]] double gamma(double t) const { return at(t).value; }
  [[nodiscard]] double time_of(double gamma) const;
  // The same curve between other endpoints.
  [[nodiscard]] NoiseSchedule between(Endpoints ends) const { return {curve_, ends}; }

  // The derivatives of a loss by gamma_0 and gamma_1, where `pull` holds those by gamma(t) and
  // gamma'(t).
  [[nodiscard]] Endpoints end_gradient(double t, CurvePoint pull) const;
  // Adds the derivatives by the parameters of the curve to `gradient`, for many times at once. They
  // go through g(0) and g(1), too.
  void add_curve_gradient(std::span<const double> times, std::span<const CurvePoint> pulls,
                          std::span<double> gradient) const;

 private:
  NoiseSchedule(std::shared_ptr<const NoiseCurve> curve, Endpoints ends);
  [[nodiscard]] CurvePoint share(double t) const;  // S(t), S'(t)
  std::shared_ptr<const NoiseCurve> curve_;
  Endpoints own_, ends_;  // g(0) and g(1); gamma_0 and gamma_1
};

}  // namespace logpx::vdm
