// Gauss-Hermite quadrature: integrals against a standard normal density, in double.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// E[f(z)], z ~ N(0,1), is about sum_i e^(log_weight_i) f(node_i): exact for polynomials of degree
// 2n - 1. Nodes rise; weights sum to 1, their logarithms stay finite where they would underflow.
struct NormalQuadrature {
  std::vector<double> nodes, log_weights;
};
// 1 <= n <= 512. [Newton's iteration on the orthonormal Hermite functions]
[[nodiscard]] NormalQuadrature normal_quadrature(std::int64_t n);

// The points of the product rule in `dims` dimensions: 0 .. n^dims - 1, last dimension fastest.
class QuadratureGrid {
 public:
  QuadratureGrid(std::int64_t nodes, std::int64_t dims);
  [[nodiscard]] std::int64_t points() const { return points_; }
  // Writes the point and returns the log of its weight.
  double point(std::int64_t number, std::span<double> z) const;

 private:
  NormalQuadrature rule_;
  std::int64_t dims_, points_ = 1;
};

}  // namespace logpx
