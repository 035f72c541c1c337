// Curves of one variable: a basis of K functions per feature, then weights.   [spec/kaem.md 3.1]
//
//   // y_o = sum over i, k of w[i,o,k] B_k(x_i; grid_i)
//   const Var y = spline_sum(rbf_basis(x, grid, width), w);
//
// Grids and knots are data, not parameters: no gradient flows to them. [K] serves all features,
// [I,K] gives each its own.
#pragma once

#include "libcore/grad/graph.hpp"

namespace logpx {

// B_k(x) = exp(-((x - grid_k)/width)^2); x [...,I] to [...,I,K], width a trainable scalar or [I].
[[nodiscard]] Var rbf_basis(Var x, Var grid, Var width);

// B-splines of degree 1 to 5 by Cox and de Boor, on half-open intervals [t_j, t_j+1), with 0/0 = 0:
// x [...,I], T ascending knots to [...,I,T-degree-1]. Outside the knots all are zero.
[[nodiscard]] Var bspline_basis(Var x, Var knots, int degree);

// basis [...,I,K], w [I,O,K]: sum over i and k, [...,O].
[[nodiscard]] Var spline_sum(Var basis, Var w);

// basis [...,I,K], w [I,K]: one curve per feature, [...,I].
[[nodiscard]] Var spline_each(Var basis, Var w);

}  // namespace logpx
