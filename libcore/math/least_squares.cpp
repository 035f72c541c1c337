#include "libcore/math/least_squares.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace logpx {
namespace {

// [B | y] above [sqrt(ridge) I | 0], by columns: reflections then read memory in order.
class Reflected {
 public:
  Reflected(const LeastSquares& problem, std::span<const double> basis, std::span<const double> y)
      : columns_(problem.columns),
        all_(problem.columns + problem.sides),
        rows_(problem.rows + problem.columns),
        values_(at(all_ * rows_)) {
    for (std::int64_t i = 0; i < problem.rows; ++i) {
      for (std::int64_t k = 0; k < columns_; ++k) column(k)[i] = basis[at(i * columns_ + k)];
      for (std::int64_t s = 0; s < problem.sides; ++s)
        column(columns_ + s)[i] = y[at(i * problem.sides + s)];
    }
    const double root = std::sqrt(problem.ridge);
    for (std::int64_t k = 0; k < columns_; ++k) column(k)[problem.rows + k] = root;
  }

  // H = I - 2 v v^T / v^T v takes the rest of column k to its first row, away from cancellation.
  void triangulate() {
    for (std::int64_t k = 0; k < columns_; ++k) {
      double* const v = column(k);
      const double whole = length(v, 0), rest = length(v, k);
      if (!(rest > static_cast<double>(rows_) * std::numeric_limits<double>::epsilon() * whole))
        fail(ErrorKind::numeric, "least squares",
             "column " + std::to_string(k) + " of the basis depends on those before it",
             "a ridge above 0 makes the solution unique");
      const double diagonal = v[k] > 0 ? -rest : rest;
      v[k] -= diagonal;
      const double square = dot(v, v, k);
      std::int64_t other = k + 1;
      for (; other + 4 <= all_; other += 4) reflect<4>(v, square, k, other);
      for (; other < all_; ++other) reflect<1>(v, square, k, other);
      v[k] = diagonal;
    }
  }

  // R w = Q^T y, from the last row up.
  void substitute(std::span<double> w) {
    const std::int64_t sides = all_ - columns_;
    for (std::int64_t s = 0; s < sides; ++s) {
      const double* const y = column(columns_ + s);
      for (std::int64_t k = columns_ - 1; k >= 0; --k) {
        double sum = y[k];
        for (std::int64_t l = k + 1; l < columns_; ++l) sum -= column(l)[k] * w[at(l * sides + s)];
        w[at(k * sides + s)] = sum / column(k)[k];
      }
    }
  }

 private:
  double* column(std::int64_t k) { return values_.data() + k * rows_; }
  // u -= 2 (v.u / v.v) v for some columns at once, whose sums do not wait for each other.
  template <std::int64_t count>
  void reflect(const double* v, double square, std::int64_t first, std::int64_t other) {
    std::array<double*, count> u;
    std::array<double, count> sums{};
    for (std::int64_t c = 0; c < count; ++c) u[at(c)] = column(other + c);
    for (std::int64_t i = first; i < rows_; ++i)
      for (std::int64_t c = 0; c < count; ++c) sums[at(c)] += v[i] * u[at(c)][i];
    for (std::int64_t c = 0; c < count; ++c) {
      const double scale = 2 * sums[at(c)] / square;
      for (std::int64_t i = first; i < rows_; ++i) u[at(c)][i] -= scale * v[i];
    }
  }
  [[nodiscard]] double dot(const double* a, const double* b, std::int64_t first) const {
    double sum = 0;
    for (std::int64_t i = first; i < rows_; ++i) sum += a[i] * b[i];
    return sum;
  }
  [[nodiscard]] double length(const double* a, std::int64_t first) const {
    return std::sqrt(dot(a, a, first));
  }

  std::int64_t columns_, all_, rows_;
  std::vector<double> values_;
};

}  // namespace

std::vector<double> solve(const LeastSquares& problem, std::span<const double> basis,
                          std::span<const double> y) {
  LOGPX_ASSERT(basis.size() == at(problem.rows * problem.columns) &&
               y.size() == at(problem.rows * problem.sides) && problem.ridge >= 0);
  Reflected system(problem, basis, y);
  system.triangulate();
  std::vector<double> w(at(problem.columns * problem.sides));
  system.substitute(w);
  return w;
}

double relative_ridge(std::span<const double> basis, std::int64_t columns, double share) {
  double trace = 0;
  for (const double value : basis) trace += value * value;
  return share * trace / static_cast<double>(columns);
}

std::vector<double> transfer_matrix(const Refit& sizes, std::span<const double> old_basis,
                                    std::span<const double> basis) {
  LOGPX_ASSERT(old_basis.size() == at(sizes.points * sizes.old_columns));
  return solve({.rows = sizes.points,
                .columns = sizes.columns,
                .sides = sizes.old_columns,
                .ridge = relative_ridge(basis, sizes.columns, sizes.ridge_share)},
               basis, old_basis);
}

std::vector<double> transferred(const Refit& sizes, std::span<const double> transfer,
                                std::span<const double> old_weights) {
  LOGPX_ASSERT(old_weights.size() == at(sizes.curves * sizes.old_columns));
  std::vector<double> weights(at(sizes.curves * sizes.columns));
  gemm(Gemm<double>{.trans_b = Trans::yes,
                    .m = sizes.curves,
                    .n = sizes.columns,
                    .k = sizes.old_columns,
                    .a = old_weights.data(),
                    .lda = sizes.old_columns,
                    .b = transfer.data(),
                    .ldb = sizes.old_columns,
                    .c = weights.data(),
                    .ldc = sizes.columns});
  return weights;
}

std::vector<double> refit(const Refit& sizes, std::span<const double> old_basis,
                          std::span<const double> old_weights, std::span<const double> basis) {
  return transferred(sizes, transfer_matrix(sizes, old_basis, basis), old_weights);
}

}  // namespace logpx
