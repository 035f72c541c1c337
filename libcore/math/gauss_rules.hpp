// Rules for integrals over an interval: Gauss-Legendre, Gauss-Kronrod, trapezoid, and rules put
// together from panels.   [math/README 7.1]
//
//   const QuadratureRule rule = composite_gauss_legendre(breaks, 200);
//   double integral = 0;
//   for (std::size_t i = 0; i < rule.nodes.size(); ++i)
//     integral += rule.weights[i] * f(rule.nodes[i]);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// The integral of f is about sum_i weight_i f(node_i). Nodes rise.
struct QuadratureRule {
  std::vector<double> nodes, weights;
};

// On [-1,1], exact for polynomials of degree 2n - 1; 1 <= n <= 2000. Computed once, then kept for
// the life of the process. [Newton's iteration on P_n, in long double]
[[nodiscard]] const QuadratureRule& gauss_legendre(std::int64_t n);

// On [-1,1]: the n nodes of Gauss-Legendre and n + 1 between them, exact for degree 3n + 1.
// `gauss_weights` are those of the n nodes alone, 0 on the added ones: the difference of the two
// sums estimates the error.
struct KronrodRule {
  std::vector<double> nodes, weights, gauss_weights;
};
// 2 <= n <= 50, kept as above. [Laurie's algorithm, Math. Comp. 66 (1997)]
[[nodiscard]] const KronrodRule& gauss_kronrod(std::int64_t n);
// Row by row the matrix that takes values on its nodes to coefficients of Legendre polynomials;
// kept as above.
[[nodiscard]] const std::vector<double>& legendre_transform(std::int64_t n);

// n >= 2 equally spaced nodes on [-1,1], the first and last with half the weight.
[[nodiscard]] QuadratureRule trapezoid(std::int64_t n);

// A rule of [-1,1] moved to [low,high].
[[nodiscard]] QuadratureRule on_interval(const QuadratureRule& rule, double low, double high);

// About `nodes` Gauss nodes over the panels between rising `breaks`, in proportion to their
// lengths, at least 4 in each. Where the integrand has kinks and jumps, there are breaks.
[[nodiscard]] QuadratureRule composite_gauss_legendre(std::span<const double> breaks,
                                                      std::int64_t nodes);

}  // namespace logpx
