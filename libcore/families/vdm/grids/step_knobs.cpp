#include "libcore/families/vdm/grids/step_knobs.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/vdm/grids/fitted_grid.hpp"
#include "libcore/families/vdm/process.hpp"

namespace logpx::vdm {

void StepKnobs::describe(Fields& fields, const Words& words) {
  fields.add("timesteps", timesteps, "steps T between noise and data")
      .range(static_cast<double>(words.fewest_steps), static_cast<double>(most_timesteps))
      .shows_default(words.default_steps)
      .rank(Rank::manual);
  fields
      .add_word("grid", grid,
                {{"auto", "fitted where that is possible and pays, else uniform"},
                 {"fitted", "where the model's measured errors say"},
                 {"uniform", "evenly in time"}},
                "where the steps stop: where the model's measured errors say, or evenly in time")
      .shows_default("fitted, where the model has such errors and T is at most 128")
      .rank(Rank::manual);
  fields
      .add_word("clip-x", clip_x,
                {{"auto", "what suits the job"},
                 {"none", "leave it as it is"},
                 {"range", "cut what lies beyond the range of the data"}},
                "keep predicted x in the range of the data")
      .shows_default(words.default_clipping)
      .rank(Rank::manual);
}

void StepKnobs::settle_grid(const DiffusionModel& model) {
  const bool measured = !model.mse_curve().empty(), few = *timesteps <= most_fitted_steps;
  if (grid == "fitted" && !measured)
    fail(ErrorKind::usage, "--grid fitted", "needs the errors that train-vdm --mse-rows measures",
         "--grid uniform");
  if (grid == "fitted" && !few)
    fail(ErrorKind::usage, "--grid fitted",
         "takes at most " + std::to_string(most_fitted_steps) + " timesteps", "--grid uniform");
  if (grid == "auto") grid = measured && few ? "fitted" : "uniform";
}

void StepKnobs::settle_clipping(const DiffusionModel& model, const std::string& unless_said) {
  if (clip_x == "range" && model.levels() == 0)
    fail(ErrorKind::usage, "--clip-x range", "does nothing for real numbers, which have no range");
  if (clip_x == "auto") clip_x = model.levels() > 0 ? unless_said : "none";
}

std::vector<double> StepKnobs::gammas(const DiffusionModel& model,
                                      const NoiseSchedule& schedule) const {
  return grid == "fitted" ? fitted_grid(schedule.ends(), model.mse_curve(), *timesteps)
                          : uniform_grid(schedule, *timesteps);
}

std::optional<double> StepKnobs::limit(const DiffusionModel& model) const {
  if (clip_x != "range") return std::nullopt;
  return top_value(model.levels());
}

std::vector<double> uniform_grid(const NoiseSchedule& schedule, std::int64_t steps) {
  std::vector<double> gamma;
  for (std::int64_t i = 0; i <= steps; ++i)
    gamma.push_back(schedule.gamma(static_cast<double>(i) / static_cast<double>(steps)));
  return gamma;
}

}  // namespace logpx::vdm
