// The K functions of which a curve of one variable is a sum.   [math/README 6.1]
//
//   rbf        exp(-((x - g_k)/(h tau))^2 / 2)     G+1 grid points g, h the spacing
//   bspline    B_k,d(x) by Cox and de Boor         G+1+2d knots, half-open intervals, 0/0 = 0
//   rswaf      1 - tanh((x - g_k)/tau)^2           G+1 grid points
//   fourier    cos(2 pi k tau x), k = 0..G, and then sin(2 pi k tau x)
//   chebyshev  T_k(tanh(x)/tau), k = 0..d, tau at least 1
#pragma once

#include <cstdint>
#include <span>

namespace logpx {

enum class CurveBasis { rbf, bspline, rswaf, fourier, chebyshev };

struct CurveForm {
  CurveBasis basis = CurveBasis::rbf;
  int intervals = 20, degree = 3;  // G and d
};

[[nodiscard]] std::int64_t basis_size(const CurveForm& form);  // K
// The numbers kept for a feature: grid points, knots, or none.
[[nodiscard]] std::int64_t grid_size(const CurveForm& form);
[[nodiscard]] bool has_tau(CurveBasis basis);

// Where the functions of one feature lie.
template <typename T>
struct CurveGrid {
  std::span<const T> points = {};
  T spacing = 1, tau = 1;
};

// Results [n,K]: the functions, their derivatives by x, and those by tau, which are zero for
// B-splines. Empty spans are not computed.
template <typename T>
struct BasisValues {
  std::span<T> values = {}, slopes = {}, by_tau = {};
  std::int64_t row_step = 0;  // from one row to the next; 0: K
};

// For float and double; in float an RBF or RSWAF below 2^-40 is 0. A tau below 1 of Chebyshev
// functions is a numeric error.
template <typename T>
void basis_values(const CurveForm& form, const CurveGrid<T>& grid, std::span<const T> x,
                  const BasisValues<T>& out);

}  // namespace logpx
