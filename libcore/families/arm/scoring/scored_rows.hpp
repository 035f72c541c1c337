// Rows to be scored, with their logits of q(z|x).
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/arm/state_predictor.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx::arm {

class ScoredRows {
 public:
  ScoredRows(const OrderModel& model, const Examples& examples);
  // Takes x [count, dims] itself; the first row has this number.
  ScoredRows(const OrderModel& model, std::vector<std::int32_t> x, std::int64_t first);

  [[nodiscard]] const OrderModel& model() const { return model_; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t number(std::int64_t row) const { return first_ + row; }
  [[nodiscard]] std::int64_t dims() const { return static_cast<std::int64_t>(dims_); }
  [[nodiscard]] std::span<const std::int32_t> x(std::int64_t row) const;
  // L, how many dims the row has.
  [[nodiscard]] std::int64_t length(std::int64_t row) const;
  // An order from q(z|x), number `draw`, by the row's own uniforms.
  [[nodiscard]] std::vector<std::int32_t> order(std::int64_t row, std::int64_t draw,
                                                const Rng& rng) const;

  // All terms of one state of a row, by dim.
  struct Terms {
    std::span<const double> log_p, log_q, log_x;
    [[nodiscard]] StepTerms step() const { return step_terms(log_p, log_q, log_x); }
  };
  struct State {
    std::int64_t row = 0;
    std::span<const std::int32_t> seen;  // dims
  };
  // Calls see(i, state(i), terms) for i < count, by rising i.
  void look(std::int64_t count, const std::function<State(std::int64_t)>& state,
            const std::function<void(std::int64_t, const State&, const Terms&)>& see) const;

 private:
  void take_logits();
  const OrderModel& model_;
  OrderRule rule_;
  std::size_t dims_;
  std::int64_t count_, first_;
  std::vector<std::int32_t> x_;  // [count, dims]
  std::vector<double> g_;        // the same; empty where q is not learned
};

}  // namespace logpx::arm
