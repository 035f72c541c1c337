// p(state z_t = z | all observed values) of a chain, at every step: the share of the column's
// probability that goes through each node of the carried block.   [pc/README 9.8]
#pragma once

#include "libcore/families/pc/passes/slopes.hpp"

#include <vector>

namespace logpx::pc {

template <typename T>
class StateTables final : public Slopes<T> {
 public:
  // Sizes the tables [columns, steps, states], and fills them: zeros after the end of a row, and
  // where the evidence is impossible.
  StateTables(const Circuit& chain, const Columns& columns, std::vector<double>& tables);

  void visit(const Work<T>& work, int b, const StepView& at) override;

 private:
  void at_leaf(const Work<T>&, int, const StepView&) override {}

  std::vector<double>& tables_;
};

}  // namespace logpx::pc
