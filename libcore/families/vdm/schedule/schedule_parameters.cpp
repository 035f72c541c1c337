#include "libcore/families/vdm/schedule/schedule_parameters.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {
namespace {

constexpr double first_deviation = 0.01;  // of w2 and w3

// Deviation: b2 starts at N(0, 1), since with zeros all units are alike; b1 of the paper's form at
// gamma_0, so that its inner line is the schedule that training starts from.
Init start_of(const std::string& name, const Endpoints& ends) {
  if (name == "w1") return Init::constant(ends.gap());
  if (name == "b1") return Init::constant(ends.first);
  return Init::normal(name == "b2" ? 1 : first_deviation);
}

}  // namespace

ScheduleParameters::ScheduleParameters(const Site& site, const ScheduleOptions& options,
                                       const CurveTable& table)
    : form_(options.form(table)), fixed_(options.ends()) {
  if (*options.learn_endpoints) {
    ends_ = LearnedEnds{};
    ends_->affine = form_.kind == CurveKind::learned_linear;
    ends_->floor = options.gamma_floor;
    const double second = ends_->affine ? fixed_.gap() : det_log(fixed_.gap());
    ends_->first = site.tensor(ends_->affine ? "b" : "gamma_0", {1}, Init::constant(fixed_.first));
    ends_->last = site.tensor(ends_->affine ? "w" : "log_gap", {1}, Init::constant(second));
  }
  for (const CurveTensor& tensor : curve_tensors(form_)) {
    const std::int64_t size = std::max<std::int64_t>(tensor.size, 1);
    curve_.push_back(site.tensor(tensor.name, {size}, start_of(tensor.name, fixed_)));
    curve_size_ += at(size);
  }
}

Endpoints ScheduleParameters::ends(const ParamSet& params, std::span<const float> theta) const {
  if (!ends_) return fixed_;
  const auto first = static_cast<double>(params.view(ends_->first, theta)[0]),
             second = static_cast<double>(params.view(ends_->last, theta)[0]);
  return {first, first + (ends_->affine ? std::fabs(second) : det_exp(second))};
}

NoiseSchedule ScheduleParameters::schedule(const ParamSet& params,
                                           std::span<const float> theta) const {
  std::vector<double> parameters;
  parameters.reserve(curve_size_);
  for (const int tensor : curve_) {
    const std::span<const float> values = params.view(tensor, theta).span();
    parameters.insert(parameters.end(), values.begin(), values.end());
  }
  return {make_curve(form_, parameters), ends(params, theta)};
}

void ScheduleParameters::add_gradient(const ParamSet& params, std::span<const float> theta,
                                      const Gradient& from, std::span<float> gradient) const {
  const auto add = [&](int tensor, std::int64_t i, double slope) {
    float& to = params.view(tensor, gradient)[i];
    to = static_cast<float>(static_cast<double>(to) + slope);
  };
  if (ends_) {
    const auto second = static_cast<double>(params.view(ends_->last, theta)[0]);
    const double by_second = ends_->affine ? (second < 0 ? -1.0 : 1.0) : det_exp(second);
    add(ends_->first, 0, from.ends.first + from.ends.last);
    add(ends_->last, 0, by_second * from.ends.last);
  }
  std::size_t next = 0;
  for (const int tensor : from.curve.empty() ? std::vector<int>() : curve_)
    for (std::int64_t i = 0; i < params.view(tensor, theta).size(); ++i)
      add(tensor, i, from.curve[next++]);
}

void ScheduleParameters::limit_step(const ParamSet& params, Endpoints before, double most,
                                    std::span<float> theta) const {
  if (!ends_) return;
  const Endpoints now = ends(params, theta);
  Endpoints kept = {std::clamp(now.first, before.first - most, before.first + most),
                    std::clamp(now.last, before.last - most, before.last + most)};
  if (ends_->floor) kept.first = std::max(kept.first, *ends_->floor);
  if (kept.first == now.first && kept.last == now.last) return;
  constexpr double least_gap = 0.1;  // kept where both ends move at once and would meet
  const double gap = std::max(kept.gap(), least_gap);
  params.view(ends_->first, theta)[0] = static_cast<float>(kept.first);
  params.view(ends_->last, theta)[0] = static_cast<float>(ends_->affine ? gap : det_log(gap));
}

}  // namespace logpx::vdm
