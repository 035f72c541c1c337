#include "libcore/math/quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::quadrature_test {

TEST_CASE("quadrature: a rule of n nodes is exact for moments up to degree 2n - 1") {
  for (const std::int64_t n : {1, 2, 3, 5, 8, 13}) {
    const NormalQuadrature rule = normal_quadrature(n);
    double expected = 1;  // (degree - 1)!!
    for (std::int64_t degree = 0; degree < 2 * n; degree += 2) {
      if (degree > 0) expected *= static_cast<double>(degree - 1);
      double even = 0, odd = 0;
      for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
        const double weight = std::exp(rule.log_weights[i]);
        even += weight * std::pow(rule.nodes[i], static_cast<double>(degree));
        odd += weight * std::pow(rule.nodes[i], static_cast<double>(degree + 1));
      }
      CHECK(even == doctest::Approx(expected).epsilon(1e-12));
      CHECK(std::abs(odd) < 1e-12 * expected * static_cast<double>(n * n));
    }
  }
}

TEST_CASE("quadrature: many nodes stay finite, distinct and normalised") {
  for (const std::int64_t n : {64, 160, 512}) {
    const NormalQuadrature rule = normal_quadrature(n);
    double sum = 0, cosine = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      CHECK(std::isfinite(rule.log_weights[i]));
      if (i > 0) CHECK(rule.nodes[i] > rule.nodes[i - 1]);
      sum += std::exp(rule.log_weights[i]);
      cosine += std::exp(rule.log_weights[i]) * std::cos(3 * rule.nodes[i]);
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
    CHECK(cosine == doctest::Approx(std::exp(-4.5)).epsilon(1e-10));
  }
}

TEST_CASE("quadrature: a grid is the product of its rules") {
  const QuadratureGrid grid(4, 3);
  CHECK(grid.points() == 64);
  double sum = 0, mixed = 0;
  std::vector<double> z(3);
  for (std::int64_t i = 0; i < grid.points(); ++i) {
    const double weight = std::exp(grid.point(i, z));
    sum += weight;
    mixed += weight * z[0] * z[0] * z[1] * z[1] * z[2] * z[2];
  }
  CHECK(sum == doctest::Approx(1));
  CHECK(mixed == doctest::Approx(1));
}

}  // namespace logpx::quadrature_test
