// How many steps, where they stop, and whether x_hat is clipped: knobs that scoring, sampling and
// coding share.   [vdm/README 3.3, 9]
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::vdm {

inline constexpr std::int64_t most_timesteps = 10000;

struct StepKnobs {
  std::optional<std::int64_t> timesteps;
  std::string grid = "auto";  // fitted where the model has a curve and the steps are few
  std::string clip_x = "auto";
  struct Words {
    std::string default_steps, default_clipping;  // texts of --help
    std::int64_t fewest_steps = 1;
  };
  void describe(Fields& fields, const Words& words);

  // Both replace `auto` and give usage errors for what this model cannot do. `timesteps` must be
  // set.
  void settle_grid(const DiffusionModel& model);
  // `unless_said`: what auto means for levels, none or range.
  void settle_clipping(const DiffusionModel& model, const std::string& unless_said);
  // gamma at 0/T, 1/T .. 1, rising.
  [[nodiscard]] std::vector<double> gammas(const DiffusionModel& model,
                                           const NoiseSchedule& schedule) const;
  [[nodiscard]] std::optional<double> limit(const DiffusionModel& model) const;
};

[[nodiscard]] std::vector<double> uniform_grid(const NoiseSchedule& schedule, std::int64_t steps);

}  // namespace logpx::vdm
