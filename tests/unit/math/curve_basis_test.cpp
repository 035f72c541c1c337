#include "libcore/math/curve_basis.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::curve_basis_test {
namespace {

using Numbers = std::vector<double>;

struct Curves {
  const char* name;
  CurveForm form;
  Numbers points;
  double spacing = 1, tau = 1;
};

const Numbers points = {-2, -1.2, -0.7, 0.1, 0.4, 1.9},
              knots = {-4, -3, -2.5, -2, -1.2, -0.7, 0.1, 0.4, 1.9, 2, 3, 4};
const std::vector<Curves> kinds = {
    {"rbf", {.basis = CurveBasis::rbf, .intervals = 5}, points, 0.8, 1.3},
    {"bspline", {.basis = CurveBasis::bspline, .intervals = 5, .degree = 3}, knots},
    {"bspline of degree 1",
     {.basis = CurveBasis::bspline, .intervals = 5, .degree = 1},
     {-3, -2, -1.2, -0.7, 0.1, 0.4, 1.9, 2.5}},
    {"rswaf", {.basis = CurveBasis::rswaf, .intervals = 5}, points, 1, 0.7},
    {"fourier", {.basis = CurveBasis::fourier, .intervals = 4}, {}, 1, 0.3},
    {"chebyshev", {.basis = CurveBasis::chebyshev, .degree = 6}, {}, 1, 1.1},
};
const Numbers places = {-3.3, -2.2, -1.1, -0.05, 0.3, 0.95, 1.7, 2.8};

template <typename T>
struct Tables {
  std::vector<T> values, slopes, by_tau;
};
template <typename T>
Tables<T> tables(const Curves& curves, const std::vector<T>& x) {
  const std::vector<T> grid(curves.points.begin(), curves.points.end());
  const auto size = x.size() * at(basis_size(curves.form));
  Tables<T> all{std::vector<T>(size), std::vector<T>(size), std::vector<T>(size)};
  basis_values<T>(curves.form, {grid, static_cast<T>(curves.spacing), static_cast<T>(curves.tau)},
                  x, {all.values, all.slopes, all.by_tau});
  return all;
}
Numbers moved(Numbers x, double by) {
  for (double& value : x) value += by;
  return x;
}
Curves bent(Curves curves, double by) {
  curves.tau += by;
  return curves;
}

void check_differences(const Numbers& slopes, const Numbers& above, const Numbers& below) {
  constexpr double step = 2e-5;
  double largest = 1;
  for (const double slope : slopes) largest = std::max(largest, std::fabs(slope));
  for (std::size_t i = 0; i < slopes.size(); ++i)
    CHECK(std::fabs((above[i] - below[i]) / step - slopes[i]) < 1e-6 * largest);
}

void check_golden(const char* what, const Json& bases, const Curves& curves, const Json& expected) {
  const Tables<double> all = tables(curves, golden_layer::tensor(bases.at("x")).data);
  golden_layer::check_close(what, all.values, golden_layer::tensor(expected).data, 1e-12);
}

}  // namespace

TEST_CASE("math: slopes of basis functions are central differences, by x and by tau") {
  for (const Curves& curves : kinds) {
    CAPTURE(curves.name);
    const Tables<double> all = tables(curves, places);
    check_differences(all.slopes, tables(curves, moved(places, 1e-5)).values,
                      tables(curves, moved(places, -1e-5)).values);
    check_differences(all.by_tau, tables(bent(curves, 1e-5), places).values,
                      tables(bent(curves, -1e-5), places).values);
  }
}

TEST_CASE("math: basis functions in float are those in double, rounded") {
  for (const Curves& curves : kinds) {
    CAPTURE(curves.name);
    const std::vector<float> x(places.begin(), places.end());
    const Tables<float> single = tables(curves, x);
    const Tables<double> whole = tables(curves, Numbers(x.begin(), x.end()));
    for (std::size_t i = 0; i < whole.values.size(); ++i)
      CHECK(std::fabs(static_cast<double>(single.values[i]) - whole.values[i]) <
            1e-6 * (1 + std::fabs(whole.values[i])));
  }
}

TEST_CASE("math: basis functions of many points are those of one, and rows may lie apart") {
  for (const Curves& curves : kinds) {
    CAPTURE(curves.name);
    const std::int64_t count = basis_size(curves.form), step = count + 3;
    std::vector<float> x;
    for (int i = 0; i < 700; ++i) x.push_back(static_cast<float>(-3.5 + 0.01 * i));
    const std::vector<float> grid(curves.points.begin(), curves.points.end());
    const CurveGrid<float> of{grid, static_cast<float>(curves.spacing),
                              static_cast<float>(curves.tau)};
    std::vector<float> apart(x.size() * at(step), -7.0f), one(at(count));
    basis_values<float>(curves.form, of, x, {.values = apart, .row_step = step});
    bool same = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      basis_values<float>(curves.form, of, std::span(x).subspan(i, 1), {.values = one});
      const float* const row = apart.data() + i * at(step);
      for (std::size_t k = 0; k < one.size(); ++k) same = same && row[k] == one[k];
      for (std::size_t k = one.size(); k < at(step); ++k) same = same && row[k] == -7.0f;
    }
    CHECK(same);
  }
}

TEST_CASE("math: many basis functions have the values of few") {
  Numbers grid;
  for (int i = 0; i <= 1200; ++i) grid.push_back(0.01 * i);
  const Numbers x = {3.14, 11.9};
  const Tables<double> all = tables<double>({"rbf", {.intervals = 1200}, grid, 0.01, 2}, x);
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const double u = (x[1] - grid[k]) / 0.02;
    CHECK(all.values[grid.size() + k] == doctest::Approx(std::exp(-u * u / 2)).epsilon(1e-12));
  }
}

TEST_CASE("math: waves keep their digits far from zero, in float too") {
  const float far = 1000.125f;
  const Tables<float> all =
      tables<float>({"fourier", {.basis = CurveBasis::fourier, .intervals = 20}, {}}, {far});
  for (int k = 0; k <= 20; ++k) {
    const double turn = 2 * std::acos(-1.0) * 0.125 * k;
    CHECK(std::fabs(static_cast<double>(all.values[at(k)]) - std::cos(turn)) < 3e-7);
    CHECK(std::fabs(static_cast<double>(all.values[at(21 + k)]) - std::sin(turn)) < 3e-7);
  }
}

TEST_CASE("math: the bump of RSWAF keeps its digits in the tails") {
  const Tables<float> all =
      tables<float>({"rswaf", {.basis = CurveBasis::rswaf, .intervals = 2}, {-9, 0, 9}}, {0});
  const double tail = 1 / (std::cosh(9.0) * std::cosh(9.0));
  CHECK(static_cast<double>(all.values[0]) == doctest::Approx(tail).epsilon(1e-6));
  CHECK(all.values[1] == 1);
  CHECK(all.slopes[1] == 0);
}

TEST_CASE("math: Chebyshev functions need a tau of at least 1") {
  Curves curves{"chebyshev", {.basis = CurveBasis::chebyshev}, {}, 1, 0.99};
  CHECK_THROWS_AS((void)tables(curves, places), Error);
  curves.tau = std::nan("");
  CHECK_THROWS_AS((void)tables(curves, places), Error);
}

TEST_CASE("golden/kaem/other_bases") {
  const Json* bases = golden::field("kaem", "other_bases");
  if (bases == nullptr) return;
  const auto grid = [](const Json& basis) { return golden_layer::tensor(basis.at("grid")).data; };
  const auto intervals = [](const Numbers& row) { return static_cast<int>(row.size()) - 1; };
  const Json &rbf = bases->at("rbf"), &rswaf = bases->at("rswaf");
  const Json &fourier = bases->at("fourier"), &chebyshev = bases->at("chebyshev");
  const Curves gaussians{"rbf",
                         {.basis = CurveBasis::rbf, .intervals = intervals(grid(rbf))},
                         grid(rbf),
                         rbf.at("h").number(),
                         rbf.at("tau").number()};
  check_golden("rbf", *bases, gaussians, rbf.at("B"));
  golden_layer::check_close("rbf slopes",
                            tables(gaussians, golden_layer::tensor(bases->at("x")).data).slopes,
                            golden_layer::tensor(rbf.at("dB_dx")).data, 1e-12);
  check_golden("rswaf", *bases,
               {"rswaf",
                {.basis = CurveBasis::rswaf, .intervals = intervals(grid(rswaf))},
                grid(rswaf),
                1,
                rswaf.at("tau").number()},
               rswaf.at("B"));
  check_golden("chebyshev", *bases,
               {"chebyshev",
                {.basis = CurveBasis::chebyshev,
                 .degree = static_cast<int>(chebyshev.at("degree").integer())},
                {},
                1,
                chebyshev.at("tau").number()},
               chebyshev.at("B"));
  const std::int64_t waves = fourier.at("n_freq").integer();
  const Numbers all =
      tables<double>({"fourier",
                      {.basis = CurveBasis::fourier, .intervals = static_cast<int>(waves)},
                      {},
                      1,
                      fourier.at("tau").number()},
                     golden_layer::tensor(bases->at("x")).data)
          .values;
  Numbers cosines, sines;
  for (std::size_t i = 0; i < all.size(); ++i)
    (static_cast<std::int64_t>(i) % (2 * waves + 2) <= waves ? cosines : sines).push_back(all[i]);
  golden_layer::check_close("cos", cosines, golden_layer::tensor(fourier.at("cos")).data, 1e-12);
  golden_layer::check_close("sin", sines, golden_layer::tensor(fourier.at("sin")).data, 1e-12);
}

}  // namespace logpx::curve_basis_test
