// p(x_t = k | all values before it that are observed), for every value of a chain on one way
// forward: a pass over columns of which nothing is known goes down, and what is observed is shown
// to each step only when its tables have been read.   [spec/pc.md section 9.4]
#pragma once

#include "libcore/families/pc/queries/leaf_tables.hpp"

#include <vector>

namespace logpx::pc {

// Variables of what is no chain as a walk from the root down meets them, children in their order.
// Of a tree: parents before their children.
[[nodiscard]] std::vector<std::int64_t> reading_order(const Circuit& circuit);

template <typename T>
class NextTables final : public LeafTables<T> {
 public:
  // The pass goes over columns of the same lengths as `observed`, all of whose values are missing.
  NextTables(const Circuit& chain, const Columns& observed, std::vector<double>& tables);

  void visit(const Work<T>& work, int b, const StepView& at) override;

 private:
  void at_leaf(const Work<T>& work, int b, const StepView& at) override;
  void descend(const Work<T>& work, const StepView& at);
  void show(const Work<T>& work, int variable, const StepView& at);

  const Columns& observed_;
  std::vector<bool> of_step_;
  std::vector<T> weights_;  // of the states, before a step's values are known
  int reading_ = 0;         // the variable whose table is read
};

}  // namespace logpx::pc
