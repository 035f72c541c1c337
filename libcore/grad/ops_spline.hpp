// Curves of one variable: a basis of K functions per feature, then weights.   [math/README 6.2]
//
//   // y_o = sum over i, k of w[i,o,k] B_k(x_i; grid_i)
//   const Var y = spline_sum(rbf_basis(x, grid, width), w);
//
// Grids and knots are data, not parameters: no gradient flows to them. [K] serves all features,
// [I,K] gives each its own.
#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/grad/graph.hpp"
#include "libcore/math/curve_basis.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace logpx {

// The sum of a_k b_k over a few tens of numbers, in four partial sums that do not wait for each
// other: an order of its own, the same everywhere.
template <typename T>
[[nodiscard]] inline T short_dot(const T* a, const T* b, std::int64_t n) {
  std::array<T, 4> sums{};
  std::int64_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (std::int64_t j = 0; j < 4; ++j) sums[static_cast<std::size_t>(j)] += a[k + j] * b[k + j];
  for (; k < n; ++k) sums[0] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Where the functions lie: grid points or knots; for RBFs the spacing h, a scalar or [I], else 1;
// for all but B-splines tau, a trainable scalar or [I], else 1.
struct CurvePlaces {
  std::optional<Var> points = {}, spacing = {}, tau = {};
};
// B_k(x), x [...,I] to [...,I,K]. With an activation [...,I,K+1]: act(x) comes after them.
[[nodiscard]] Var curve_basis(Var x, const CurveForm& form, const CurvePlaces& places,
                              Activation beside = Activation::none);

// B_k(x) = exp(-((x - grid_k)/width)^2); x [...,I] to [...,I,K], width a trainable scalar or [I].
[[nodiscard]] Var rbf_basis(Var x, Var grid, Var width);

// B-splines of degree 1 to 5 by Cox and de Boor, on half-open intervals [t_j, t_j+1), with 0/0 = 0:
// x [...,I], T ascending knots to [...,I,T-degree-1]. Outside the knots all are zero.
[[nodiscard]] Var bspline_basis(Var x, Var knots, int degree);

// basis [...,I,K], coef [I,O,K]: sum over i and k, [...,O]. With a scale [I,O] the weights are
// scale_io coef_iok. With base [I,O] too, the basis [...,I,K+1] ends with what base weighs.
struct CurveWeights {
  Var coef;
  std::optional<Var> scale = {}, base = {};
};
[[nodiscard]] Var spline_sum(Var basis, const CurveWeights& weights);
[[nodiscard]] Var spline_sum(Var basis, Var w);

// basis [...,I,K], w [I,K]: one curve per feature, [...,I].
[[nodiscard]] Var spline_each(Var basis, Var w);

}  // namespace logpx
