// Principal axes of data: its mean, the directions of largest variance, and the way there and back.
// [math/README 11]
//
//   const PrincipalAxes axes = principal_axes(x, {.rows = n, .dims = d}, 8);
//   const std::vector<double> scores = axes.scores(x), again = axes.points(scores);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct PrincipalAxes {
  std::vector<double> mean;        // [dims]
  std::vector<double> components;  // [axes,dims], orthonormal; the largest entry of each positive
  std::vector<double> variances;   // [axes], falling; divided by rows - 1

  [[nodiscard]] std::int64_t dims() const { return std::ssize(mean); }
  [[nodiscard]] std::int64_t axes() const { return std::ssize(variances); }
  // (x - mean) components^T: from [rows,dims] to [rows,axes].
  [[nodiscard]] std::vector<double> scores(std::span<const double> x) const;
  // mean + scores components: from [rows,axes] to [rows,dims].
  [[nodiscard]] std::vector<double> points(std::span<const double> scores) const;
};

struct DataShape {
  std::int64_t rows = 0, dims = 0;
};

// The first `axes` of them, at most min(rows - 1, dims), rows >= 2; exact: eigenvectors of the
// covariance matrix or, with fewer rows than dims, of the rows' inner products.
[[nodiscard]] PrincipalAxes principal_axes(std::span<const double> x, const DataShape& shape,
                                           std::int64_t axes);
// The same from the mean [dims] and the covariance [dims,dims] of rows.
[[nodiscard]] PrincipalAxes axes_of_covariance(std::vector<double> mean,
                                               std::span<const double> covariance,
                                               std::int64_t axes);

}  // namespace logpx
