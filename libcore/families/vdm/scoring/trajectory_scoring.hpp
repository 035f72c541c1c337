// The importance-weighted bound: trajectories drawn under q, weighed under the model of T steps.
// [vdm/README 11.2]
#pragma once

#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>

namespace logpx::vdm {

inline constexpr const char* iwae_method = "iwae";

struct TrajectorySettings {
  StepKnobs steps;
  std::int64_t samples = 16;
  bool labels = true;
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<ScoringPlan> make_trajectory_scoring(const DiffusionModel& model);

}  // namespace logpx::vdm
