// A function of single values, from a table, whose expectation is asked for.   [pc/README 9.7]
#pragma once

#include "tools/sessions/query_table.hpp"

#include <string>
#include <vector>

namespace logpx {

// From lines "value,f", for every place, or "column,value,f"; values that are not named have 0.
class ValueFunction {
 public:
  // A data error names the line of a value or a column that the model does not know.
  ValueFunction(const std::string& path, const ModelQueries& queries, const DatasetInfo& info);

  [[nodiscard]] double of(std::int64_t place, std::int64_t category) const {
    return values_[static_cast<std::size_t>(place)][static_cast<std::size_t>(category)];
  }

 private:
  std::vector<std::vector<double>> values_;  // by place and category
};

// E f, E f^2 and the variance of f at the places that are asked about, and E of the sum of f over
// the whole row.
void answer_function(const AskedRows& asked);

}  // namespace logpx
