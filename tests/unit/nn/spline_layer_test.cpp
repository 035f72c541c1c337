#include "libcore/nn/spline_layer.hpp"

#include "libcore/math/curve_grid.hpp"
#include "tests/support/layer_check.hpp"
#include "tests/support/layer_model.hpp"

#include "libcore/grad/executor.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::spline_layer_test {

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
  const SplineLayer layer(model.site / "kan", 2, 3,
                          {.basis = CurveBasis::bspline, .intervals = 3, .base = Activation::none});
  CHECK(layer_check::tensors(model.params) == Names{"kan/w_spline [2,3]", "kan/coef [2,3,6]"});
  const auto build = [&](Graph& g) {
    return layer(model.params, g.input("x", {5, 2}), {g.input("knots", {2, 10})});
  };
  const std::vector<double> knots = extended_knots(uniform_grid(-3, 3, 3), 3);
  CHECK(layer_check::trouble(model.params, build, {{"knots", twice(knots)}}) == "");
}

TEST_CASE("nn: a spline layer of waves or bumps has a base and a width, and no spacing") {
  for (const CurveBasis basis : {CurveBasis::fourier, CurveBasis::rswaf}) {
    LayerModel model;
    const SplineLayer layer(model.site / "kan", 2, 3, {.basis = basis, .intervals = 2});
    const bool waves = basis == CurveBasis::fourier;
    CHECK(layer_check::tensors(model.params) ==
          Names{"kan/w_base [2,3]", "kan/w_spline [2,3]",
                waves ? "kan/coef [2,3,6]" : "kan/coef [2,3,3]", "kan/rho []"});
    const auto build = [&](Graph& g) {
      SplineGrid grid;
      if (!waves) grid.points = g.input("grid", {2, 3});
      return layer(model.params, g.input("x", {4, 2}), grid);
    };
    layer_check::Given given;
    if (!waves) given["grid"] = twice(uniform_grid(-2, 2, 2));
    CHECK(layer_check::trouble(model.params, build, given) == "");
  }
}

TEST_CASE("nn: a spline layer of Chebyshev functions has coefficients and a width alone") {
  LayerModel model;
  const SplineLayer layer(model.site / "kan", 2, 3,
                          {.basis = CurveBasis::chebyshev, .degree = 4, .tau = 1.5});
  CHECK(layer_check::tensors(model.params) == Names{"kan/coef [2,3,5]", "kan/rho []"});
  model.start();
  float& rho = model.params.view(*layer.rho())[0];
  CHECK(rho == doctest::Approx(std::log(1.5)));
  layer.limit(model.params);
  CHECK(rho == doctest::Approx(std::log(1.5)));
  rho = -0.01F;  // as an update may leave it
  layer.limit(model.params);
  CHECK(rho == 0);
}

TEST_CASE("nn: a width that is not trained is the one that was asked for") {
  LayerModel model;
  const SplineLayer layer(model.site / "kan", 1, 1,
                          {.basis = CurveBasis::rswaf,
                           .intervals = 2,
                           .base = Activation::none,
                           .width = CurveWidth::fixed,
                           .tau = 0.5});
  CHECK(layer_check::tensors(model.params) == Names{"kan/w_spline [1,1]", "kan/coef [1,1,3]"});
  Graph graph(Precision::f64);
  graph.output("y",
               layer(model.params, graph.input("x", {1, 1}), {.points = graph.input("g", {3})}));
  Executor<double> run(graph, {});
  const std::vector<double> x = {0.25}, points = {-1, 0, 1};
  std::vector<double> block(static_cast<std::size_t>(model.params.block_size()));
  const auto first_of = [&](std::size_t tensor) {
    return block.begin() + model.params.infos()[tensor].offset;
  };
  *first_of(0) = 2;
  *(first_of(1) + 1) = 3;  // of the bump at 0
  run.bind("x", x);
  run.bind("g", points);
  run.bind_parameters(block);
  run.forward();
  const double t = std::tanh(0.25 / 0.5);
  CHECK(run.output("y")[0] == doctest::Approx(6 * (1 - t * t)).epsilon(1e-12));
}

}  // namespace logpx::spline_layer_test
