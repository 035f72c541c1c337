#include "libcore/math/eigen.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

SymmetricEigen decompose(std::span<const double> matrix, std::int64_t n, EigenJob job) {
  LOGPX_ASSERT(n >= 1 && matrix.size() == at(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      if (!std::isfinite(matrix[at(i * n + j)]))
        fail(ErrorKind::numeric, "eigenvalues", "the matrix is not finite");
  SymmetricEigen result{std::vector<double>(at(n)), {matrix.begin(), matrix.end()}};
  if (!symmetric_eigen(job, n, result.vectors, result.values))
    fail(ErrorKind::numeric, "eigenvalues", "the iteration does not converge");
  return result;
}

}  // namespace

SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::int64_t n) {
  return decompose(matrix, n, EigenJob::vectors);
}

std::vector<double> symmetric_eigenvalues(std::span<const double> matrix, std::int64_t n) {
  return decompose(matrix, n, EigenJob::values).values;
}

}  // namespace logpx
