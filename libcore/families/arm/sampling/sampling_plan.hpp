// Samples x ~ p(x) for sample-model.   [arm/README 6]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/arm/sampling/sampler.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace logpx::arm {

// biased: for molecules, bonds before atoms.
enum class PolicyOverride { own, uniform, biased };
enum class OrderTrace { none, steps, all };

// How rows of which a part is known are completed: by the model's own steps, or by p(x), exactly
// or by weighing a number of completions.   [arm/README 6.2]
enum class Infill { policy, exact, sir };

struct SamplingSettings {
  SamplerSettings sampler;
  Infill infill = Infill::policy;
  std::optional<std::int64_t> particles;
  PolicyOverride policy = PolicyOverride::own;
  OrderTrace trace = OrderTrace::none;
  std::string atoms = {};  // for molecules: N or A:B; empty: by p(n)
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<SamplingPlan> make_sampling(const OrderModel& model);

}  // namespace logpx::arm
