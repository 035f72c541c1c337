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

// Columns of the factor; those before them are taken away from the matrix [n,n] already.
bool factor_columns(std::vector<double>& l, std::int64_t n, std::int64_t begin, std::int64_t end,
                    double least) {
  for (std::int64_t j = begin; j < end; ++j) {
    const double* const pivot_row = &l[at(j * n)];
    double pivot = 0;
    for (std::int64_t i = j; i < n; ++i) {
      double* const row = &l[at(i * n)];
      double rest = row[j];
      for (std::int64_t k = begin; k < j; ++k) rest -= row[k] * pivot_row[k];
      if (i == j) {
        if (!(rest > least)) return false;
        pivot = std::sqrt(rest);
      }
      row[j] = i == j ? pivot : rest / pivot;
    }
  }
  return true;
}

// Takes these columns away from those behind them.
void subtract_columns(std::vector<double>& l, std::int64_t n, std::int64_t begin,
                      std::int64_t end) {
  if (end == n) return;
  const double* const part = &l[at(end * n + begin)];
  gemm(Gemm<double>{.trans_b = Trans::yes,
                    .m = n - end,
                    .n = n - end,
                    .k = end - begin,
                    .a = part,
                    .lda = n,
                    .b = part,
                    .ldb = n,
                    .c = &l[at(end * n + end)],
                    .ldc = n,
                    .alpha = -1,
                    .beta = 1});
}

}  // namespace

SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::int64_t n) {
  return decompose(matrix, n, EigenJob::vectors);
}

std::vector<double> symmetric_eigenvalues(std::span<const double> matrix, std::int64_t n) {
  return decompose(matrix, n, EigenJob::values).values;
}

std::vector<double> cholesky_factor(std::span<const double> matrix, std::int64_t n, double least) {
  LOGPX_ASSERT(n >= 1 && matrix.size() == at(n * n));
  constexpr std::int64_t columns = 32;  // at a time: all other work is one product
  std::vector<double> l(matrix.begin(), matrix.end());
  double largest = 0;
  for (std::int64_t i = 0; i < n; ++i) largest = std::max(largest, l[at(i * n + i)]);
  for (std::int64_t begin = 0; begin < n; begin += columns) {
    const std::int64_t end = std::min(n, begin + columns);
    if (!factor_columns(l, n, begin, end, least * largest)) return {};
    subtract_columns(l, n, begin, end);
  }
  for (std::int64_t i = 0; i < n; ++i) std::fill_n(l.begin() + i * n + i + 1, n - i - 1, 0.0);
  return l;
}

}  // namespace logpx
