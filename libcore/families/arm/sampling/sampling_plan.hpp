// x ~ p(x), as sample-model asks for it.   [spec/loarm.md section 7]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/arm/sampling/sampler.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace logpx::arm {

// biased: of molecules, bonds before atoms.
enum class PolicyOverride { own, uniform, biased };
enum class OrderTrace { none, steps, all };

// How rows of which a part is known are completed: by the model's own steps, or as p(x) has it,
// exactly or by weighing so many completions.
enum class Infill { policy, exact, sir };

struct SamplingSettings {
  SamplerSettings sampler;
  Infill infill = Infill::policy;
  std::optional<std::int64_t> particles;
  PolicyOverride policy = PolicyOverride::own;
  OrderTrace trace = OrderTrace::none;
  std::string atoms = {};  // of molecules, N or A:B; empty: as often as in the training data
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<SamplingPlan> make_sampling(const OrderModel& model);

}  // namespace logpx::arm
