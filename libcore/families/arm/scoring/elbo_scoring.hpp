// The bound on log p(x): sums of F along orders drawn from q(z|x), or at single places of them.
// [LO-ARM eqs. 8, 17; arm/README 5.1]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace logpx::arm {

inline constexpr const char* elbo_method = "elbo";

// path: all L terms along an order; term: one of them, times L.
enum class Estimator { automatic, path, term };

struct ElboSettings {
  std::optional<std::int64_t> samples;
  Estimator estimator = Estimator::automatic;
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<ScoringPlan> make_elbo_scoring(const OrderModel& model);

}  // namespace logpx::arm
