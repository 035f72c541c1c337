// Many states of rows, shown to a network some at a time.
//
//   look_at_states(predictor, count,
//                  [&](std::int64_t i, StateRow row) { row.seen[at(i)] = 1; },
//                  [&](std::int64_t i, const StateView& look) { logits[at(i)] = look.values[0]; });
#pragma once

#include "libcore/families/arm/orders/order_rule.hpp"
#include "libcore/families/arm/state_predictor.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace logpx::arm {

struct StateRow {  // [dims] each, to be filled
  std::span<std::int32_t> x;
  std::span<std::uint8_t> seen;
};

// How many states a network is shown at once, so that its answers take a few megabytes.
[[nodiscard]] std::int64_t states_at_once(const StatePredictor& predictor);

// fill(i, row) sets state i, then see(i, state) gets what the network says of it; by rising i.
void look_at_states(const StatePredictor& predictor, std::int64_t count,
                    const std::function<void(std::int64_t, StateRow)>& fill,
                    const std::function<void(std::int64_t, const StateView&)>& see);

}  // namespace logpx::arm
