// p(x_v = k | all other values that are observed), for every variable of every column in one pass:
// the slope that comes to a leaf says how well each of its nodes goes with all the rest. Of real
// numbers the same says their moments, and how dense they lie around the value that is there.
// [spec/pc.md sections 9.2 and 9.16]
#pragma once

#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/model/queries.hpp"

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
  // Of place i of [columns, steps, variables], as the circuit reads it; none where the evidence is
  // impossible.
  [[nodiscard]] RealMoments moments(std::int64_t i) const;

 protected:
  void at_leaf(const Work<T>& work, int b, const StepView& at) override;

 private:
  // sum of slope, slope mean and slope square over nodes, and of slope y over those of the value
  // that is there, for leaves with the value 2^exponent y.
  struct NodeSums {
    double nodes = 0, mean = 0, square = 0, there = 0;
    std::int64_t exponent = 0;
  };
  void add_nodes(const Work<T>& work, int b, const StepView& at);

  std::vector<double>& tables_;
  std::int64_t variables_, categories_;
  std::vector<NodeSums> sums_;  // where there are real numbers, of every place
};

}  // namespace logpx::pc
