// Eigenvalues and eigenvectors of a symmetric matrix, by LAPACK's divide and conquer, and its
// factor by Cholesky, which takes a small part of their time.
//
//   const SymmetricEigen axes = symmetric_eigen(covariance, n);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct SymmetricEigen {
  std::vector<double> values;   // [n], rising
  std::vector<double> vectors;  // [n,n], row i belongs to values[i]; of length 1
};

// matrix [n,n]: the part on and below the diagonal counts. One that is not finite, or for which the
// iteration fails, is a numeric error.
[[nodiscard]] SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::int64_t n);
// The values alone, which takes a fraction of the time.
[[nodiscard]] std::vector<double> symmetric_eigenvalues(std::span<const double> matrix,
                                                        std::int64_t n);

// L with L L^T = matrix, [n,n], 0 above the diagonal. Empty if a pivot is not above `least` times
// the largest element of the diagonal, as for matrices of less than full rank.
[[nodiscard]] std::vector<double> cholesky_factor(std::span<const double> matrix, std::int64_t n,
                                                  double least);

}  // namespace logpx
