// p(x_t = k | all observed values before it), for every value of a chain in one way forward: a pass
// over columns without values goes down, and each step sees what is observed only after its tables
// have been read.   [pc/README 9.4]
#pragma once

#include "libcore/families/pc/queries/leaf_tables.hpp"

#include <vector>

namespace logpx::pc {

// Variables of a circuit that is not a chain, as a walk from the root down meets them: in a tree
// parents before their children.
[[nodiscard]] std::vector<std::int64_t> reading_order(const Circuit& circuit);

template <typename T>
class NextTables final : public LeafTables<T> {
 public:
  // The pass goes over columns as long as those of `observed`, without values.
  NextTables(const Circuit& chain, const Columns& observed, std::vector<double>& tables);

  void visit(const Work<T>& work, int b, const StepView& at) override;

 private:
  void at_leaf(const Work<T>& work, int b, const StepView& at) override;
  void descend(const Work<T>& work, const StepView& at);
  void show(const Work<T>& work, int variable, const StepView& at);

  const Columns& observed_;
  std::vector<bool> of_step_;
  std::vector<T> weights_;  // of the states, before a step's values are known
  int reading_ = 0;         // the variable whose table is being read
};

}  // namespace logpx::pc
