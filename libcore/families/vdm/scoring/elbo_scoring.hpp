// The variational bound, in continuous time or of T steps, and how noisy one draw of it is.
// [VDM sec. 3.3, 4.1, table 4b; vdm/README 11.1]
#pragma once

#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace logpx::vdm {

inline constexpr const char* elbo_method = "elbo";

struct ElboSettings {
  StepKnobs steps{.timesteps = 0};  // 0: continuous time
  std::optional<std::int64_t> samples, n_rec;
  std::int64_t variance = 0;
  std::string schedule = "own";
  bool labels = true;
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<ScoringPlan> make_elbo_scoring(const DiffusionModel& model);

// Knobs that several ways of scoring have.
void add_recon_draws(Fields& fields, std::optional<std::int64_t>& n_rec);
void add_label_choice(Fields& fields, bool& labels);
// Usage errors for --n-rec where p(x|z_0) is not drawn, and for --no-labels where it cannot work.
void refuse_recon_draws(const DiffusionModel& model, const std::optional<std::int64_t>& n_rec);
void check_label_choice(const DiffusionModel& model, const bool& labels);

}  // namespace logpx::vdm
