// Which style a row has, by the values that occur in it, wherever: the most probable one when each
// value is drawn alone,   argmax over c of prior_c prod_k p_c(k)^(times k occurs).
// Only + and det_log are used, in double, so that it is the same everywhere.
//
//   const StyleChoice choice(plan, theta);
//   choice.choose(columns);                          // columns.styles, from their values
//   const float* table = leaf_values(plan, b, choice.of(counts), theta);    // [size, categories]
#pragma once

#include "libcore/families/pc/passes/message.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

class StyleChoice {
 public:
  // Of a circuit whose rows have styles.
  StyleChoice(const PassPlan& plan, std::span<const float> theta);

  // How often each value occurs; of several styles the first.
  [[nodiscard]] std::int32_t of(std::span<const std::int64_t> counts) const;
  void choose(Columns& columns) const;

 private:
  std::size_t styles_;
  std::vector<double> log_prior_, log_p_;  // [styles]; [values, styles]
};

// Parameters of a leaf, [size, categories], in rows of this style; of one without styles all.
template <typename T>
[[nodiscard]] const T* leaf_values(const PassPlan& plan, int leaf, std::int64_t style,
                                   std::span<const T> theta) {
  const BlockRange all = plan.range(leaf, 0);
  const std::int64_t each = (all.end - all.begin) / plan.circuit().styles;
  return theta.data() + all.begin + (plan.block(leaf).styled ? style * each : 0);
}

}  // namespace logpx::pc
