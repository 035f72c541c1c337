#include "libcore/grad/ops_spline.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::ops_spline_test {
namespace {

using In = std::vector<Var>;

gradcheck::Input fixed(Shape shape, std::vector<double> values) {
  return {.shape = shape, .differentiable = false, .values = std::move(values)};
}
const gradcheck::Input knots = fixed({9}, {-2.5, -1.5, -1, -0.25, 0.5, 1, 1.25, 2, 3});
const std::vector<double> kinks = {-2.5, -1.5, -1, -0.25, 0.5, 1, 1.25, 2, 3};

gradcheck::Case bspline_case(int degree) {
  return {"B-splines of degree " + std::to_string(degree),
          {{{5, 3}, -3, 3.5, kinks}, knots},
          [degree](const In& in) { return bspline_basis(in[0], in[1], degree); }};
}

gradcheck::Case curve_case(const char* name, const CurveForm& form, Activation beside) {
  const double tau = form.basis == CurveBasis::fourier ? 0.1 : 1.1;  // slow waves
  std::vector<gradcheck::Input> inputs = {{{70, 3}, -2, 2, {0}}, {{}, tau, tau + 0.3}};
  if (grid_size(form) > 0) inputs.push_back(fixed({3, 3}, {-1, 0.5, 1, -2, 0, 1, -1, 0, 2}));
  return {name, inputs, [=](const In& in) {
            CurvePlaces places{.tau = in[1]};
            if (in.size() > 2) places.points = in[2];
            return curve_basis(in[0], form, places, beside);
          }};
}

const std::vector<gradcheck::Case> cases = {
    curve_case("RSWAF beside silu", {.basis = CurveBasis::rswaf, .intervals = 2}, Activation::silu),
    curve_case("waves beside tanh", {.basis = CurveBasis::fourier, .intervals = 3},
               Activation::tanh),
    curve_case("Chebyshev functions", {.basis = CurveBasis::chebyshev, .degree = 5},
               Activation::none),
    {"RBF with a spacing and tau each, beside relu",
     {{{3, 2}, -2, 2, {0}},
      fixed({2, 3}, {-1, 0.5, 1, -2, 0, 2}),
      fixed({2}, {0.8, 1.7}),
      {{2}, 0.7, 1.5}},
     [](const In& in) {
       return curve_basis(in[0], {.intervals = 2},
                          {.points = in[1], .spacing = in[2], .tau = in[3]}, Activation::relu);
     }},
    {"B-splines beside elu",
     {{{5, 3}, -3, 3.5, {-2.5, -1.5, -1, -0.25, 0, 0.5, 1, 1.25, 2, 3}}, knots},
     [](const In& in) {
       return curve_basis(in[0], {.basis = CurveBasis::bspline, .intervals = 2, .degree = 3},
                          {.points = in[1]}, Activation::elu);
     }},
    {"a sum with scaled weights",
     {{{2, 3, 5}}, {{3, 7, 5}}, {{3, 7}}},
     [](const In& in) { return spline_sum(in[0], {.coef = in[1], .scale = in[2]}); },
     {.linear_in = {0, 1, 2}}},
    {"a sum with scaled weights and a base",
     {{{2, 3, 6}}, {{3, 7, 5}}, {{3, 7}}, {{3, 7}}},
     [](const In& in) { return spline_sum(in[0], {.coef = in[1], .scale = in[2], .base = in[3]}); },
     {.linear_in = {0, 1, 2}}},
    {"RBF, one grid and width",
     {{{3, 2}}, fixed({3}, {-1, 0.5, 1}), {{}, 0.5, 1.5}},
     [](const In& in) { return rbf_basis(in[0], in[1], in[2]); }},
    {"RBF, a grid and width each",
     {{{2, 2, 3}}, fixed({3, 2}, {-1, 1, 0, 2, -2, 0.5}), {{3}, 0.5, 2}},
     [](const In& in) { return rbf_basis(in[0], in[1], in[2]); }},
    bspline_case(1),
    bspline_case(3),
    bspline_case(5),
    {"B-splines, knots each",
     {{{4, 2}}, fixed({2, 5}, {-3, -1, 0, 1, 3, -2, -1, 0.5, 1, 2})},
     [](const In& in) { return bspline_basis(in[0], in[1], 3); }},
    {"sum over features and functions",
     {{{2, 2, 3, 5}}, {{3, 7, 5}}},
     [](const In& in) { return spline_sum(in[0], in[1]); },
     {.linear_in = {0, 1}}},
    {"one curve per feature",
     {{{4, 3, 5}}, {{3, 5}}},
     [](const In& in) { return spline_each(in[0], in[1]); },
     {.linear_in = {0, 1}}},
    {"a whole curve",
     {{{3, 2}}, fixed({3}, {-1, 0.5, 1}), {{}, 0.5, 1.5}, {{2, 3, 3}}},
     [](const In& in) { return spline_sum(rbf_basis(in[0], in[1], in[2]), in[3]); }},
};
const bool listed = gradcheck::list(cases);

}  // namespace

TEST_CASE("spline ops: backward equals central differences") {
  for (const gradcheck::Case& item : cases) gradcheck::run(item);
}

TEST_CASE("spline ops: B-splines sum to one inside, and are zero outside their knots") {
  for (const int degree : {1, 2, 3, 4, 5}) {
    Graph graph(Precision::f64);
    const Var x = graph.input("x", {6, 1}), t = graph.input("knots", {degree + 1 + 8});
    graph.output("y", bspline_basis(x, t, degree));
    Executor<double> run(graph, {});
    std::vector<double> places(static_cast<std::size_t>(degree) + 9);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<double>(i);
    const double first = degree, end = 8;
    const std::vector<double> at = {first, 0.7 * first + 0.3 * end, end - 1e-9, -0.5, 100, -7};
    run.bind("x", at);
    run.bind("knots", places);
    run.forward();
    const View<const double> y = run.output("y");
    for (std::int64_t row = 0; row < 6; ++row) {
      double sum = 0;
      for (std::int64_t k = 0; k < 8; ++k) sum += y[row * 8 + k];
      CHECK(sum == doctest::Approx(row < 3 ? 1 : 0).epsilon(1e-13));
    }
  }
}

TEST_CASE("spline ops: equal knots divide nothing by zero") {
  Graph graph(Precision::f64);
  const Var x = graph.input("x", {1, 1});
  graph.output("y", bspline_basis(x, graph.input("knots", {6}), 2));
  Executor<double> run(graph, {.from = "y", .inputs = {"x"}});
  const std::vector<double> at = {0.25}, places = {0, 0, 0, 1, 1, 1};
  run.bind("x", at);
  run.bind("knots", places);
  run.forward();
  run.backward();
  const double bernstein[] = {0.5625, 0.375, 0.0625};
  for (std::int64_t k = 0; k < 3; ++k) CHECK(run.output("y")[k] == doctest::Approx(bernstein[k]));
  CHECK(std::abs(run.gradient("x")[0]) < 1e-14);  // they sum to one
}

TEST_CASE("spline ops: weights must fit the basis") {
  Graph graph;
  CHECK_THROWS_AS((void)spline_sum(graph.input("b", {2, 3, 5}), graph.input("w", {3, 5, 4})),
                  Error);
  CHECK_THROWS_AS((void)bspline_basis(graph.input("x", {2, 3}), graph.input("t", {4}), 3), Error);
}

TEST_CASE("spline ops: a layer wider than a tile is the plain sum over features and functions") {
  constexpr std::int64_t rows = 3, features = 40, outputs = 1030, count = 12;
  const auto numbers = [](std::uint32_t sub, std::int64_t n) {
    return random_values<double>(sub, static_cast<std::size_t>(n));
  };
  const auto basis = numbers(1, rows * features * (count + 1));
  const auto coef = numbers(2, features * outputs * count);
  const auto scale = numbers(3, features * outputs), base = numbers(4, features * outputs);
  Graph graph(Precision::f64);
  graph.output("y", spline_sum(graph.input("basis", {rows, features, count + 1}),
                               {.coef = graph.input("coef", {features, outputs, count}),
                                .scale = graph.input("scale", {features, outputs}),
                                .base = graph.input("base", {features, outputs})}));
  const std::vector<std::string> all = {"basis", "coef", "scale", "base"};
  Executor<double> run(graph, {.from = "y", .inputs = all});
  run.bind("basis", basis);
  run.bind("coef", coef);
  run.bind("scale", scale);
  run.bind("base", base);
  run.forward();
  const View<const double> y = run.output("y");
  double furthest = 0, length = 0;
  const auto element = [](const std::vector<double>& of, std::int64_t e) {
    return of[static_cast<std::size_t>(e)];
  };
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t o = 0; o < outputs; ++o) {
      double sum = 0;
      for (std::int64_t i = 0; i < features; ++i) {
        const std::int64_t curve = i * outputs + o, first = (r * features + i) * (count + 1);
        for (std::int64_t k = 0; k < count; ++k)
          sum +=
              element(scale, curve) * element(coef, curve * count + k) * element(basis, first + k);
        sum += element(base, curve) * element(basis, first + count);
      }
      furthest = std::max(furthest, std::abs(sum - y[r * outputs + o]));
      length += sum;
    }
  CHECK(furthest < 1e-10);
  // The sum of y is linear in each operand: <gradient, operand> gives it back.
  run.backward();
  const auto inner = [&](const std::string& name, const std::vector<double>& of) {
    const View<const double> g = run.gradient(name);
    double sum = 0;
    for (std::int64_t e = 0; e < g.size(); ++e) sum += g[e] * element(of, e);
    return sum;
  };
  CHECK(inner("basis", basis) == doctest::Approx(length).epsilon(1e-9));
  CHECK(inner("coef", coef) == doctest::Approx(inner("scale", scale)).epsilon(1e-9));
  CHECK(inner("coef", coef) + inner("base", base) == doctest::Approx(length).epsilon(1e-9));
}

}  // namespace logpx::ops_spline_test
