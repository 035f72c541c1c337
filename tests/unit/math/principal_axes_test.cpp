#include "libcore/math/principal_axes.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/eigen.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::principal_axes_test {
namespace {

using Numbers = std::vector<double>;

void check_all_near(const Numbers& computed, const Numbers& expected, double tolerance) {
  REQUIRE(computed.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(std::fabs(computed[i] - expected[i]) <= tolerance * (1 + std::fabs(expected[i])));
}

// sum_k a[i,k] b[j,k]
double row_product(const Numbers& a, std::size_t i, const Numbers& b, std::size_t j,
                   std::size_t n) {
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[j * n + k];
  return sum;
}

double mean_square(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("golden/kaem/pca") {
  const Json* item = golden::field("kaem", "pca");
  if (!item) return;
  const golden_layer::Values x = golden_layer::tensor(item->at("X"));
  const DataShape shape{x.shape[0], x.shape[1]};
  const auto expected = [&](const char* name) { return golden_layer::tensor(item->at(name)).data; };
  const PrincipalAxes axes = principal_axes(x.data, shape, std::min(shape.rows - 1, shape.dims));
  check_all_near(axes.mean, expected("mean"), 1e-9);
  check_all_near(axes.variances, expected("explained_variance"), 1e-9);
  check_all_near(axes.components, expected("components_sign_fixed"), 1e-9);
  const PrincipalAxes two = principal_axes(x.data, shape, 2);
  check_all_near(two.scores(x.data), expected("scores_k2"), 1e-9);
  CHECK(mean_square(two.points(two.scores(x.data)), x.data) ==
        doctest::Approx(golden::real(item->at("reconstruction_mse_k2"))).epsilon(1e-9));
}

TEST_CASE("eigen: vectors diagonalise the matrix, values rise and are those computed alone") {
  for (const std::int64_t n : {1, 2, 7, 60}) {
    const std::size_t size = at(n);
    Numbers matrix = random_values<double>(31, size * size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i + 1; j < size; ++j) matrix[i * size + j] = matrix[j * size + i];
    const SymmetricEigen eigen = symmetric_eigen(matrix, n);
    CHECK(std::is_sorted(eigen.values.begin(), eigen.values.end()));
    check_all_near(symmetric_eigenvalues(matrix, n), eigen.values, 1e-12);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < size; ++k) {
        CHECK(std::fabs(row_product(eigen.vectors, i, eigen.vectors, k, size) - (i == k)) < 1e-12);
        CHECK(std::fabs(row_product(matrix, k, eigen.vectors, i, size) -
                        eigen.values[i] * eigen.vectors[i * size + k]) < 1e-11);
      }
    // The part above the diagonal does not count.
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i + 1; j < size; ++j) matrix[i * size + j] = 99;
    CHECK(symmetric_eigen(matrix, n).values == eigen.values);
  }
  CHECK_THROWS_AS((void)symmetric_eigen(Numbers{std::numeric_limits<double>::infinity()}, 1),
                  Error);
}

TEST_CASE("eigen: the second difference matrix has the eigenvalues of its closed form") {
  constexpr std::size_t n = 25;
  Numbers matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * n + i] = 2;
    if (i > 0) matrix[i * n + i - 1] = -1;
  }
  const Numbers values = symmetric_eigenvalues(matrix, n);
  for (std::size_t i = 0; i < n; ++i)
    CHECK(values[i] ==
          doctest::Approx(2 - 2 * std::cos(static_cast<double>(i + 1) * std::acos(-1.0) / (n + 1)))
              .epsilon(1e-12));
}

TEST_CASE("principal axes: fewer rows than dimensions give the same axes") {
  constexpr std::int64_t rows = 12, dims = 30;
  const Numbers x = random_values<double>(5, at(rows * dims));
  Numbers twice = x;  // enough rows for the covariance matrix, with the same axes
  for (int copy = 0; copy < 2; ++copy) twice.insert(twice.end(), x.begin(), x.end());
  const PrincipalAxes few = principal_axes(x, {rows, dims}, rows - 1);
  const PrincipalAxes many = principal_axes(twice, {3 * rows, dims}, rows - 1);
  check_all_near(few.components, many.components, 1e-9);
  for (std::size_t a = 0; a < at(rows - 1); ++a)
    CHECK(few.variances[a] * (rows - 1) ==
          doctest::Approx(many.variances[a] * (3 * rows - 1) / 3).epsilon(1e-9));
  CHECK(mean_square(few.points(few.scores(x)), x) < 1e-20);
}

}  // namespace logpx::principal_axes_test
