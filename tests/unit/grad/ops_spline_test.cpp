#include "libcore/grad/ops_spline.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace logpx;

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

const std::vector<gradcheck::Case> cases = {
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
