// log p(x) by importance weights: log (1/K) sum_k p(z_k, x) / q(z_k|x), orders z_k drawn from q.
// [arm/README 5.3]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/arm/scoring/scored_rows.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::arm {

// log p(z, x) - log q(z|x) of orders.
struct WeighedOrder {
  std::int64_t row = 0;
  std::vector<std::int32_t> order;  // of all dims of the row
};
[[nodiscard]] std::vector<double> order_weights(const ScoredRows& rows,
                                                std::span<const WeighedOrder> orders);

inline constexpr const char* iwae_method = "iwae";

struct IwaeSettings {
  std::int64_t samples = 50;
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<ScoringPlan> make_iwae_scoring(const OrderModel& model);

}  // namespace logpx::arm
