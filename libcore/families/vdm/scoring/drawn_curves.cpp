#include "libcore/families/vdm/scoring/drawn_curves.hpp"

namespace logpx::vdm {

std::vector<DrawnCurve> drawn_schedule(const NoiseSchedule& schedule) {
  DrawnCurve gamma{"gamma", "t", "gamma", {}, {}}, slope{"gamma_slope", "t", "gamma'(t)", {}, {}};
  for (std::int64_t i = 0; i < drawn_points; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(drawn_points - 1);
    const CurvePoint point = schedule.at(t);
    gamma.x.push_back(t), gamma.y.push_back(point.value);
    slope.x.push_back(t), slope.y.push_back(point.slope);
  }
  return {gamma, slope};
}

DrawnCurve drawn_errors() {
  return {"denoising_error", "gamma", "mean squared error of the noise", {}, {}};
}

std::vector<DrawnCurve> drawn_curves(const DiffusionModel& model) {
  const NoiseSchedule schedule = model.schedule();
  std::vector<DrawnCurve> curves = drawn_schedule(schedule);
  const std::span<const double> measured = model.mse_curve();
  if (measured.empty()) return curves;
  DrawnCurve errors = drawn_errors();
  const double spacing = schedule.ends().gap() / static_cast<double>(measured.size() - 1);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    errors.x.push_back(schedule.ends().first + static_cast<double>(i) * spacing);
    errors.y.push_back(measured[i]);
  }
  curves.push_back(std::move(errors));
  return curves;
}

}  // namespace logpx::vdm
