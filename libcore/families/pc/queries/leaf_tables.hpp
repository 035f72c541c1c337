// p(x_v = k | all other values that are observed), for every variable of every column in one pass:
// the slope that comes to a leaf says how well each of its nodes goes with all the rest.
// [spec/pc.md sections 9.2 and 9.16]
#pragma once

#include "libcore/families/pc/passes/slopes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// Of all variables.
[[nodiscard]] std::int64_t most_categories(const Circuit& circuit);

template <typename T>
class LeafTables : public Slopes<T> {
 public:
  // Sizes the tables [columns, steps, variables, most categories], and fills them. Columns whose
  // evidence is impossible, and steps behind the end of a row, stay zeros.
  LeafTables(const Circuit& circuit, const Columns& columns, std::vector<double>& tables);

  // Divides each table by its sum.
  void normalise();

 protected:
  void at_leaf(const Work<T>& work, int b, const StepView& at) override;

 private:
  std::vector<double>& tables_;
  std::int64_t variables_, categories_;
};

}  // namespace logpx::pc
