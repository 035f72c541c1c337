// x ~ p(x), or p(x|label), as sample-model asks for it.   [vdm/README 10]
#pragma once

#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/families/vdm/sampling/sampler.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace logpx::vdm {

struct SamplingSettings {
  SamplerKind sampler = SamplerKind::ancestral;
  StepKnobs steps;
  std::optional<std::string> label;  // a class by number or name
  double guidance = 0;
  std::optional<std::int64_t> trajectory;
  bool mean = false;
  std::optional<std::int64_t> particles;  // of a row that is completed
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<SamplingPlan> make_sampling(const DiffusionModel& model);

}  // namespace logpx::vdm
