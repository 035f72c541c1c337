// A network's logits for partly known rows, as scoring, sampling and coding ask for them.
#pragma once

#include "libcore/families/arm/orders/order_rule.hpp"
#include "libcore/families/arm/row_form.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx::arm {

// S of each row, [rows, dims]: what is seen of it. Where a dim is not seen, x only says whether the
// row has it.
struct States {
  std::span<const std::int32_t> x;
  std::span<const std::uint8_t> seen;
};

// Logits of each dim that is not seen; those of other dims have no meaning.
struct Looks {
  std::vector<double> values;  // f [rows, dims, levels]; -inf for values that a dim cannot have
  std::vector<double> policy;  // h [rows, dims]; empty where the network has none
};

class StatePredictor {
 public:
  virtual ~StatePredictor() = default;
  [[nodiscard]] virtual const RowForm& form() const = 0;
  // Any thread may call it.
  virtual void look(const States& states, Looks& looks) const = 0;
  // Logits g [rows, dims] of q(z|x), for whole rows.
  virtual void choose(std::span<const std::int32_t> x, std::span<double> g) const = 0;

  [[nodiscard]] std::int64_t dims() const { return form().dims(); }
  [[nodiscard]] std::int64_t levels() const { return form().levels(); }
};

// Many states of rows, shown to a network some at a time.
//
//   look_at_states(predictor, count,
//                  [&](std::int64_t i, StateRow row) { row.seen[at(i)] = 1; },
//                  [&](std::int64_t i, const StateView& look) { logits[at(i)] = look.values[0]; });
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
