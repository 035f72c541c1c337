// What is said of the columns of a table in words: "job=clerk|nurse,age>=40,age<60".
//
//   const auto all = read_conditions({"--given", info, names}, texts);   // {"age>=40,job=clerk"}
//
// Signs are =, <, <=, > and >=; what is said twice of a column holds together. Names and values
// that hold a comma, a | or one of these signs are put in quotes, a quote inside them is doubled.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct ColumnCondition {
  std::int64_t column = 0;
  std::string text = {};            // as it was written
  std::vector<double> values = {};  // of x, of which it is one; empty: nothing is said
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above_low = false, below_high = false;  // the ends themselves do not belong to it

  [[nodiscard]] bool has_range() const;
  [[nodiscard]] bool in_range(double value) const;
};

struct ConditionReader {
  std::string option;  // for messages
  const DatasetInfo& info;
  std::span<const std::string> names;  // of columns
};

// In the order of columns. A usage error for what is no condition, for a column that is not there,
// a value that no cell of it has, and for ranges that nothing lies in.
[[nodiscard]] std::vector<ColumnCondition> read_conditions(const ConditionReader& reader,
                                                           std::span<const std::string> texts);

}  // namespace logpx
