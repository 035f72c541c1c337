// Eigenvalues and eigenvectors of a symmetric matrix, by LAPACK's divide and conquer.
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

}  // namespace logpx
