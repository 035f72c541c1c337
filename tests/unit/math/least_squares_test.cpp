#include "libcore/math/least_squares.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_spline.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace logpx::least_squares_test {
namespace {

using Numbers = std::vector<double>;

std::int64_t length(const Numbers& x) { return static_cast<std::int64_t>(x.size()); }

Numbers equispaced(double first, double last, std::size_t count) {
  Numbers x(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1);
  return x;
}

// The library's own basis at points x: [x,K].
template <typename Build>
Numbers basis_at(const Numbers& x, Build build) {
  Graph graph(Precision::f64);
  graph.output("basis", build(graph, graph.input("x", {length(x), 1})));
  Executor<double> executor(graph, {});
  executor.bind("x", x);
  executor.forward();
  const auto values = executor.output("basis").span();
  return {values.begin(), values.end()};
}
Numbers cubic(const Numbers& x, const Numbers& knots) {
  return basis_at(x, [&](Graph& graph, Var v) {
    return bspline_basis(v, graph.constant(Tensor<double>({length(knots)}, knots)), 3);
  });
}
Numbers gaussians(const Numbers& x, const Numbers& grid, double width) {
  return basis_at(x, [&](Graph& graph, Var v) {
    return rbf_basis(v, graph.constant(Tensor<double>({length(grid)}, grid)),
                     graph.constant(width));
  });
}

// [curves,points]
Numbers curves(const Numbers& basis, const Numbers& weights, std::size_t columns) {
  Numbers y;
  for (std::size_t c = 0; c < weights.size(); c += columns)
    for (std::size_t i = 0; i < basis.size(); i += columns) {
      double sum = 0;
      for (std::size_t k = 0; k < columns; ++k) sum += basis[i + k] * weights[c + k];
      y.push_back(sum);
    }
  return y;
}

}  // namespace

TEST_CASE("math: a least squares solution leaves a residual across all columns") {
  const std::int64_t rows = 20, columns = 6, sides = 3;
  const Numbers basis = random_values<double>(1, 120), y = random_values<double>(2, 60);
  for (const double ridge : {0.0, 0.7}) {
    const Numbers w =
        solve({.rows = rows, .columns = columns, .sides = sides, .ridge = ridge}, basis, y);
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t k = 0; k < 6; ++k) {  // B^T (y - B w) = ridge w
        double slope = -ridge * w[k * 3 + s];
        for (std::size_t i = 0; i < 20; ++i) {
          double residual = y[i * 3 + s];
          for (std::size_t l = 0; l < 6; ++l) residual -= basis[i * 6 + l] * w[l * 3 + s];
          slope += basis[i * 6 + k] * residual;
        }
        CHECK(std::fabs(slope) < 1e-12);
      }
  }
}

TEST_CASE("math: dependent columns need a ridge, and a ridge is enough") {
  const Numbers basis = {1, 2, 2, 4, 3, 6},
                y = {5, 10, 15};  // the second column is twice the first
  CHECK_THROWS_AS((void)solve({.rows = 3, .columns = 2}, basis, y), Error);
  const Numbers w = solve({.rows = 3, .columns = 2, .ridge = 1e-10}, basis, y);
  CHECK(w[0] + 2 * w[1] == doctest::Approx(5).epsilon(1e-8));
}

TEST_CASE("math: cubic splines survive the insertion of knots, and a return, unchanged") {
  const Numbers knots = {-3, -2, -1, 0, 1, 2, 3, 4}, finer = {-3, -2, -1, 0, 0.3, 0.5, 1, 2, 3, 4};
  const Numbers x = equispaced(0, 0.999, 60), check = equispaced(0.001, 0.99, 41);
  const Numbers old_weights = random_values<double>(4, 8);  // two curves
  const Numbers coarse_at = cubic(x, knots), fine_at = cubic(x, finer);
  const Refit there{.points = 60, .curves = 2, .old_columns = 4, .columns = 6, .ridge_share = 0};
  const Refit back{.points = 60, .curves = 2, .old_columns = 6, .columns = 4, .ridge_share = 0};
  const Numbers weights = refit(there, coarse_at, old_weights, fine_at);
  const Numbers returned = refit(back, fine_at, weights, coarse_at);
  const Numbers before = curves(cubic(check, knots), old_weights, 4);
  const Numbers after = curves(cubic(check, finer), weights, 6);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(std::fabs(after[i] - before[i]) < 1e-8);
  for (std::size_t i = 0; i < returned.size(); ++i)
    CHECK(std::fabs(returned[i] - old_weights[i]) < 1e-8);
}

TEST_CASE("math: a grid that stays keeps its curve of Gaussians") {
  const Numbers grid = equispaced(-1, 1, 9), x = equispaced(-1, 1, 90);
  const Numbers weights = random_values<double>(5, 9), basis = gaussians(x, grid, 0.25);
  const Refit sizes{.points = 90, .old_columns = 9, .columns = 9, .ridge_share = 0};
  const Numbers refitted = refit(sizes, basis, weights, basis);
  const Numbers before = curves(basis, weights, 9), after = curves(basis, refitted, 9);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(std::fabs(after[i] - before[i]) < 1e-8);
}

TEST_CASE("golden: refits of a spline on a moved grid") {
  const Json* item = golden::field("kaem", "grid_update");
  if (item == nullptr) return;
  const auto row = [&](const char* name) { return golden_layer::tensor(item->at(name)).data; };
  const Numbers old_grid = row("old_grid"), grid = row("new_grid"), old_coef = row("old_coef");
  const Numbers x = equispaced(grid.front(), grid.back(), 10 * grid.size());
  // The file's bases are exp(-((x - g)/(h tau))^2 / 2)   [math/README 6.1]
  const double scale = std::numbers::sqrt2 * golden::real(item->at("tau"));
  const double old_width = scale * golden::real(item->at("old_h"));
  const double width = scale * golden::real(item->at("new_h"));
  const Numbers weights =
      refit({.points = length(x), .old_columns = length(old_grid), .columns = length(grid)},
            gaussians(x, old_grid, old_width), old_coef, gaussians(x, grid, width));
  const Numbers check = row("check_x"), expected = row("new_curve");
  const Numbers curve = curves(gaussians(check, grid, width), weights, grid.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(std::fabs(curve[i] - expected[i]) < golden::real(item->at("new_curve_tol")));
}

}  // namespace logpx::least_squares_test
