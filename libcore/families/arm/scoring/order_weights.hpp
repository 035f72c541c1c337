// log p(z, x) - log q(z|x) of orders.
#pragma once

#include "libcore/families/arm/scoring/scored_rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

struct WeighedOrder {
  std::int64_t row = 0;
  std::vector<std::int32_t> order;  // of all dims of the row
};
[[nodiscard]] std::vector<double> order_weights(const ScoredRows& rows,
                                                std::span<const WeighedOrder> orders);

}  // namespace logpx::arm
