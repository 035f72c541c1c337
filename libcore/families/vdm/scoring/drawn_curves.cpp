#include "libcore/families/vdm/scoring/drawn_curves.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/families/vdm/grids/fitted_grid.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/scoring/scored_rows.hpp"
#include "libcore/math/repeatable.hpp"

#include <numeric>

namespace logpx::vdm {
namespace {

constexpr std::uint64_t measuring_seed = 1;

}  // namespace

std::vector<double> measure_mse_curve(const DiffusionModel& model, const Examples& examples,
                                      Workers& workers) {
  const Endpoints ends = model.schedule().ends();
  const ScoredRows rows = take_rows(model, examples, Labels::used);
  Denoiser denoiser(model.predictor(), model.process());
  if (model.levels() > 0) denoiser.clip_to(top_value(model.levels()));
  std::vector<double> curve(curve_points);
  const Numerics numerics = numerics_here();
  workers.run(curve_points, [&](std::int64_t i) {
    const ComputedBy how(numerics);
    const double share = static_cast<double>(i) / static_cast<double>(curve_points - 1);
    std::vector<NoisyPlace> places;
    for (std::int64_t row = 0; row < rows.count; ++row)
      places.push_back({row, ends.first + share * ends.gap(), static_cast<std::uint64_t>(i)});
    const std::vector<double> errors =
        denoising_errors(denoiser, rows, places, Rng(measuring_seed));
    curve[at(i)] =
        std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(rows.count);
  });
  return curve;
}

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
