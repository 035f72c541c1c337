#include "libcore/families/vdm/scoring/mse_curve.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/families/vdm/grids/fitted_grid.hpp"
#include "libcore/families/vdm/reconstruction.hpp"
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

}  // namespace logpx::vdm
