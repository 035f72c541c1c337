// log p(x) itself: by all sets of dims that may be seen, or along the order where it is fixed.
// [arm/README 5.2]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>

namespace logpx::arm {

inline constexpr const char* exact_method = "exact";

struct ExactSettings {
  std::int64_t most_dims = 12;
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<ScoringPlan> make_exact_scoring(const OrderModel& model);

}  // namespace logpx::arm
