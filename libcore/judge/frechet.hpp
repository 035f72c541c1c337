// Frechet distance between Gaussians fitted to two sets of features [eval/README 10.2]:
//
//   FID = |mu1 - mu2|^2 + tr S1 + tr S2 - 2 tr (S1^1/2 S2 S1^1/2)^1/2
//
// S1^1/2 S2 S1^1/2 has the eigenvalues of F^T S2 F for any F with S1 = F F^T. F is made once: by
// Cholesky, or where S1 is not of full rank, from its eigenvectors except those whose value is 0
// up to rounding. Then every set of rows costs the covariance of x F and its symmetric eigenvalues.
// No imaginary parts can arise.
#pragma once

#include "libcore/judge/moments.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct FrechetDistance {
  double value = 0;
  std::int64_t clipped = 0;  // eigenvalues below 0 by rounding, taken as 0
};

// The real side, which is compared with many others.
class FrechetReference {
 public:
  // A covariance with eigenvalues below 0 beyond rounding is a data error.
  explicit FrechetReference(const Moments& real);

  [[nodiscard]] FrechetDistance to(const Moments& fake) const;

  [[nodiscard]] std::int64_t d() const { return std::ssize(mean_); }
  [[nodiscard]] std::int64_t rank() const { return rank_; }
  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }
  [[nodiscard]] double trace() const { return trace_; }
  // Rows [n,d] times F: [n,rank].
  [[nodiscard]] std::vector<double> projected(const double* rows, std::int64_t n) const;
  // The distance from the difference of means, the trace of S2, and F^T S2 F or any matrix
  // [size,size] with the same eigenvalues other than 0.
  struct Parts {
    double mean_difference_squared = 0, trace = 0;
    std::vector<double> matrix = {};
    std::int64_t size = 0;
  };
  [[nodiscard]] FrechetDistance joined(const Parts& parts) const;

 private:
  void factor_by_axes(std::span<const double> covariance);

  std::vector<double> mean_, factor_;  // factor [d,rank]
  double trace_ = 0;
  std::int64_t rank_ = 0;
};

// Rows projected by a reference, so that any choice of them can be compared with it.
class FrechetRows {
 public:
  // Keeps references to both arguments.
  FrechetRows(const FrechetReference& reference, const FeatureView& features, Workers& workers);

  // For at least two rows, with repetitions. Fewer rows than the rank go through the matrix of
  // their inner products, which has the same eigenvalues. Runs on the calling thread; several may
  // call at once.
  [[nodiscard]] FrechetDistance distance(const RowList& rows) const;

 private:
  const FrechetReference& reference_;
  FeatureView features_;
  std::vector<double> centre_;     // the mean of all rows
  std::vector<double> squares_;    // [n]: squared distances from it
  std::vector<double> projected_;  // [n,rank]
};

}  // namespace logpx
