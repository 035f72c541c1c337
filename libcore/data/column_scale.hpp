// Mean and deviation of the columns of a table, and which of them models should read standardised.
// [data/README 2.3]
#pragma once

#include "libcore/data/dataset.hpp"

#include <vector>

namespace logpx {

// Over rows of real numbers, without missing values, which may come in parts. The deviation of a
// constant column is 0; columns of words have mean 0 and deviation 1.   [Welford]
class ColumnMoments {
 public:
  explicit ColumnMoments(const DatasetInfo& info);
  void add(const Rows& rows);
  [[nodiscard]] Standardisation scale() const;

 private:
  struct Column {
    double count = 0, mean = 0, squares = 0;  // squares: exactly 0 where all values are equal
    void add(double value);
  };
  const DatasetInfo& info_;
  std::vector<Column> columns_;
};

// The columns whose mean is outside of [-3, 3], or whose deviation is neither 0 nor in [1/3, 3]:
// networks and their first weights are made for what lies within.
[[nodiscard]] std::vector<std::int64_t> columns_off_scale(const Standardisation& scale);

}  // namespace logpx
