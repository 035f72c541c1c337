// Mean and covariance of rows as they come, in memory that does not grow with their number.
//
//   MomentSums sums(dims);
//   for (Rows rows; stream.next(rows);) sums.add(values_of(rows), workers);
//   const Moments moments = sums.finish(workers);
//
// Rows are taken in blocks of a fixed size, each centred on its own mean and then joined to those
// before (Chan, Golub and LeVeque): neither threads nor how rows come in change a bit.
#pragma once

#include "libcore/base/parallel.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct Moments {
  std::int64_t rows = 0;
  std::vector<double> mean;        // [dims]
  std::vector<double> covariance;  // [dims,dims], symmetric; divided by rows - 1
};

class MomentSums {
 public:
  explicit MomentSums(std::int64_t dims);
  // Whole rows, [n, dims].
  void add(std::span<const float> rows, Workers& workers);
  void add(std::span<const double> rows, Workers& workers);
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  // At least two rows.
  [[nodiscard]] Moments finish(Workers& workers);

 private:
  template <typename T>
  void take(std::span<const T> rows, Workers& workers);
  void join_block(Workers& workers);

  std::int64_t dims_, rows_ = 0, joined_ = 0;
  std::vector<double> block_;  // rows that are not joined yet
  std::vector<double> mean_, products_;
};

}  // namespace logpx
