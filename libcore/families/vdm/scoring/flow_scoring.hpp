// log p(x) by the probability flow: z_0 follows it to z_1, and the density with it.
// [vdm/README 11.3]
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/families/vdm/flow/probability_flow.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace logpx::vdm {

inline constexpr const char* ode_method = "ode";

struct FlowSettings {
  std::optional<std::int64_t> ode_steps, n_rec;
  std::optional<double> ode_tol;
  Trace ode_trace = Trace::hutchinson;
  bool labels = true;
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<ScoringPlan> make_flow_scoring(const DiffusionModel& model);

}  // namespace logpx::vdm
