// p(x_v = k | all other values that are observed), for every variable of every column in one pass:
// the slope that comes to a leaf says how well each of its nodes goes with all the rest.
// [spec/pc.md sections 9.2 and 9.16]
#pragma once

#include "libcore/families/pc/passes/slopes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

template <typename T>
class LeafTables final : public Slopes<T> {
 public:
  // tables [columns, steps, table_size], zeros before the pass. Columns whose evidence is
  // impossible, and steps behind the end of a row, stay zeros.
  LeafTables(const Circuit& circuit, std::span<double> tables);

  // Numbers of one step: the categories of all variables.
  [[nodiscard]] static std::int64_t table_size(const Circuit& circuit);
  // Divides each table by its sum.
  void normalise();

 private:
  void at_leaf(const Work<T>& work, int b, const StepView& at) override;

  const Circuit& circuit_;
  std::span<double> tables_;
  std::vector<std::int64_t> first_;  // of each variable in a step's table
  std::int64_t size_;
};

}  // namespace logpx::pc
