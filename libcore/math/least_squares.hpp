// Linear least squares in double, and with it the move of a spline to another grid.
// [math/README 6.4]
//
//   w = argmin |B w - y|^2 + ridge |w|^2
//
// by Householder reflections of [B; sqrt(ridge) I]: the condition of B is not squared as in normal
// equations, so that near-dependent bases (wide RBFs) need no second method.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct LeastSquares {
  std::int64_t rows = 0, columns = 0, sides = 1;  // sides: number of right-hand sides
  double ridge = 0;
};

// basis [rows,columns], y [rows,sides]; gives w [columns,sides]. Dependent columns without a ridge
// are a numeric error.
[[nodiscard]] std::vector<double> solve(const LeastSquares& problem, std::span<const double> basis,
                                        std::span<const double> y);

// share * trace(B^T B) / columns: a ridge relative to the size of the basis.
[[nodiscard]] double relative_ridge(std::span<const double> basis, std::int64_t columns,
                                    double share);

// The curves of one feature on a moved grid. The old basis functions' values at `points` are the
// right-hand sides of the new basis: that gives one matrix, which takes the weights of every curve
// there. Weights are [curves,K], as spline_sum has them for a feature.
inline constexpr double refit_ridge = 1e-8;
struct Refit {
  std::int64_t points = 0, curves = 1, old_columns = 0, columns = 0;
  double ridge_share = refit_ridge;
};
// old_basis [points,old_columns], basis [points,columns]; gives [columns,old_columns].
[[nodiscard]] std::vector<double> transfer_matrix(const Refit& sizes,
                                                  std::span<const double> old_basis,
                                                  std::span<const double> basis);
// weights transfer^T: [curves,columns]
[[nodiscard]] std::vector<double> transferred(const Refit& sizes, std::span<const double> transfer,
                                              std::span<const double> old_weights);
// Both in one.
[[nodiscard]] std::vector<double> refit(const Refit& sizes, std::span<const double> old_basis,
                                        std::span<const double> old_weights,
                                        std::span<const double> basis);

}  // namespace logpx
