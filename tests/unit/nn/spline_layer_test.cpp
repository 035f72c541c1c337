#include "libcore/nn/spline_layer.hpp"

#include "tests/support/layer_check.hpp"
#include "tests/support/layer_model.hpp"

#include <doctest/doctest.h>

using namespace logpx;

using Names = std::vector<std::string>;

namespace {

std::vector<double> twice(std::vector<double> row) {
  const std::vector<double> copy = row;
  row.insert(row.end(), copy.begin(), copy.end());
  return row;
}

}  // namespace

TEST_CASE("nn: a spline layer of RBF curves, width trained") {
  LayerModel model;
  const SplineLayer layer(model.site / "kan", 2, 3, {.intervals = 4});
  CHECK(layer_check::tensors(model.params) ==
        Names{"kan/w_base [2,3]", "kan/w_spline [2,3]", "kan/coef [2,3,5]", "kan/rho []"});
  const auto build = [&](Graph& g) {
    return layer(model.params, g.input("x", {4, 2}),
                 {g.input("grid", {2, 5}), g.input("spacing", {2})});
  };
  CHECK(layer_check::trouble(model.params, build,
                             {{"grid", twice(uniform_grid(-2, 2, 4))}, {"spacing", {1, 0.5}}}) ==
        "");
}

TEST_CASE("nn: a spline layer of B-splines has no width, and may do without a base") {
  LayerModel model;
  const SplineLayer layer(
      model.site / "kan", 2, 3,
      {.basis = SplineBasis::bspline, .intervals = 3, .base = Activation::none});
  CHECK(layer_check::tensors(model.params) == Names{"kan/w_spline [2,3]", "kan/coef [2,3,6]"});
  const auto build = [&](Graph& g) {
    return layer(model.params, g.input("x", {5, 2}), {g.input("knots", {2, 10})});
  };
  const std::vector<double> knots = extended_knots(uniform_grid(-3, 3, 3), 3);
  CHECK(layer_check::trouble(model.params, build, {{"knots", twice(knots)}}) == "");
}

TEST_CASE("nn: grids are even, and knots go on beyond their ends") {
  CHECK(uniform_grid(-1, 1, 4) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
  CHECK(extended_knots({0, 1, 2}, 2) == std::vector<double>{-2, -1, 0, 1, 2, 3, 4});
}
