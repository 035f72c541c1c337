// Mean and covariance of features, from rows that come block after block.
//
//   MomentSums sums(d, &workers);
//   while (more()) sums.append(rows);       // any number of whole rows
//   const Moments moments = sums.finish();
//
// Everything is double. Blocks of a fixed number of rows are centred on their own mean and then
// joined [Chan, Golub, LeVeque 1983], so that a large mean costs no digits; neither threads nor how
// rows were split over calls changes a bit.
#pragma once

#include "libcore/base/index.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// Features as every judge of samples reads them: a vector per example, in double.
struct FeatureView {
  std::span<const double> values;  // [n,d]
  std::int64_t n = 0, d = 0;

  [[nodiscard]] const double* row(std::int64_t i) const { return values.data() + i * d; }
};

// Numbers of rows, in any order; a row may occur more than once, as in a resample.
using RowList = std::vector<std::uint32_t>;

class Workers;

struct Moments {
  std::int64_t n = 0;
  std::vector<double> mean;        // [d]
  std::vector<double> covariance;  // [d,d], divided by n - 1

  [[nodiscard]] std::int64_t d() const { return std::ssize(mean); }
  [[nodiscard]] double trace() const;  // of the covariance
};

class MomentSums {
 public:
  // Without workers the calling thread does all the work.
  explicit MomentSums(std::int64_t d, Workers* workers = nullptr);

  void append(std::span<const double> rows);  // [.,d]
  void append(std::span<const float> rows);
  [[nodiscard]] std::int64_t n() const { return n_ + pending_; }
  // Needs two rows or more; nothing can be appended afterwards.
  [[nodiscard]] Moments finish();

 private:
  template <typename T>
  void take(std::span<const T> rows);
  void join_block();

  std::int64_t d_, n_ = 0, pending_ = 0;
  Workers* workers_;
  std::vector<double> block_;    // [block rows, d], of which `pending_` rows are filled
  std::vector<double> mean_;     // of the n_ rows that are joined
  std::vector<double> scatter_;  // [d,d] on and below the diagonal: sum of (x - mean)(x - mean)^T
};

// Moments of some rows, on the calling thread.
[[nodiscard]] Moments moments_of(const FeatureView& features, const RowList& rows);
// Moments of all rows.
[[nodiscard]] Moments moments_of(const FeatureView& features, Workers& workers);

}  // namespace logpx
