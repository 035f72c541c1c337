#include "libcore/math/curve_grid.hpp"

#include "libcore/base/index.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx::curve_grid_test {
namespace {

using Numbers = std::vector<double>;

// A feature that owns its numbers.
struct Feature {
  CurveForm form;
  Numbers grid, domain;
  std::vector<float> coef;
  double tau = 1;

  Feature(const CurveForm& its_form, double low, double high, std::size_t curves)
      : form(its_form), domain{low, high} {
    grid = grid_of(form, uniform_grid(low, high, form.intervals));
    coef = random_values<float>(3, curves * at(basis_size(form)));
  }
  GridMoved move(const Numbers& inputs, const GridMove& how = {}) {
    return move_grid(form, how, inputs, {grid, domain, coef});
  }
  // [x,curves]
  [[nodiscard]] Numbers values(const Numbers& x) const {
    const std::int64_t columns = basis_size(form);
    Numbers basis(x.size() * at(columns)), y;
    basis_values<double>(form, {grid, (domain[1] - domain[0]) / form.intervals, tau}, x,
                         {.values = basis});
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t c = 0; c < coef.size(); c += at(columns)) {
        double sum = 0;
        for (std::size_t k = 0; k < at(columns); ++k)
          sum += basis[i * at(columns) + k] * static_cast<double>(coef[c + k]);
        y.push_back(sum);
      }
    return y;
  }
};

Numbers normals(std::uint32_t sub, std::size_t count, double scale) {
  Numbers x = random_values<double>(sub, count);
  for (double& value : x) value *= scale;
  std::ranges::sort(x);
  return x;
}

double furthest(const Numbers& a, const Numbers& b) {
  double distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) distance = std::max(distance, std::fabs(a[i] - b[i]));
  return distance;
}

}  // namespace

TEST_CASE("math: grids are even, and knots go on beyond their ends") {
  CHECK(uniform_grid(-1, 1, 4) == Numbers{-1, -0.5, 0, 0.5, 1});
  CHECK(extended_knots({0, 1, 2}, 2) == Numbers{-2, -1, 0, 1, 2, 3, 4});
}

TEST_CASE("math: points of a moved grid are quantiles and even points, mixed") {
  const Numbers inputs = {0, 0.1, 0.2, 0.3, 1, 2, 3, 10};
  // x[8 i / 4] for i = 0..3, then the last
  CHECK(moved_points(4, {.ratio = 0, .pad = 0}, inputs) == Numbers{0, 0.2, 1, 3, 10});
  CHECK(moved_points(4, {.ratio = 1, .pad = 0}, inputs) == Numbers{0, 2.5, 5, 7.5, 10});
  const Numbers mixed = moved_points(4, {.ratio = 0.5, .pad = 0.1}, inputs);
  CHECK(furthest(mixed, {-1, 1.35, 3, 5.25, 11}) < 1e-14);
}

TEST_CASE("math: equal inputs make points that still lie apart") {
  const Numbers inputs = {0, 2, 2, 2, 2, 2, 2, 2};
  const Numbers points = moved_points(4, {.ratio = 0, .pad = 0}, inputs);
  CHECK(points.front() == 0);
  CHECK(points.back() == 2);
  for (std::size_t j = 1; j < points.size(); ++j)
    CHECK(points[j] - points[j - 1] > 0.999 * 1e-4 * 2 / 4);
}

TEST_CASE("math: a grid stays within the limits of its base measure") {
  const Numbers inputs = normals(1, 50, 2);
  const Numbers points = moved_points(6, {.lowest = 0, .highest = 1}, inputs);
  CHECK(points.front() == 0);
  CHECK(points.back() == 1);
  CHECK(std::ranges::is_sorted(points));
}

TEST_CASE("math: inputs that are all alike leave a feature as it is") {
  Feature feature({.intervals = 5}, -1, 1, 3);
  const Feature before = feature;
  for (const Numbers& inputs :
       {Numbers{}, Numbers(9, 0.3), Numbers{0.3, std::nan("")}, Numbers{-INFINITY, 1}})
    CHECK(feature.move(inputs).fate == GridFate::no_interval);
  CHECK(feature.move({-3, -2}, {.lowest = 0}).fate == GridFate::no_interval);
  CHECK((feature.grid == before.grid && feature.domain == before.domain));
  CHECK(feature.coef == before.coef);
}

TEST_CASE("math: curves on a grid that stays are unchanged, whatever their functions") {
  for (const CurveBasis basis : {CurveBasis::rbf, CurveBasis::bspline, CurveBasis::rswaf}) {
    Feature feature({.basis = basis, .intervals = 6, .degree = 3}, -1, 1, 40);
    const Numbers x = uniform_grid(-1, 0.999, 50), before = feature.values(x);
    const GridMoved moved = feature.move(uniform_grid(-1, 1, 60), {.ratio = 1, .pad = 0});
    CHECK(moved.fate == GridFate::moved);
    CHECK(moved.change < 1e-5);
    const auto [low, high] = std::ranges::minmax(before);
    CHECK(furthest(feature.values(x), before) < 1e-5 * (high - low));
  }
}

TEST_CASE("math: the change that is reported is that of the curves") {
  Feature feature({.intervals = 12}, -1, 1, 30);
  const Feature before = feature;
  const Numbers inputs = normals(5, 200, 0.8);
  const GridMoved moved = feature.move(inputs, {.most_change = INFINITY});
  CHECK(moved.fate == GridFate::moved);
  Numbers x;  // 10 (G+1) even points of the new domain that the old one holds
  for (int i = 0; i < 130; ++i) {
    const double place = feature.domain[0] + (feature.domain[1] - feature.domain[0]) * i / 129;
    if (place >= -1 && place <= 1) x.push_back(place);
  }
  const Numbers old = before.values(x), now = feature.values(x);
  double change = 0, ranges = 0;
  for (std::size_t i = 0; i < old.size(); ++i)
    change += (now[i] - old[i]) * (now[i] - old[i]) / static_cast<double>(old.size());
  for (std::size_t c = 0; c < 30; ++c) {
    double low = INFINITY, high = -INFINITY;
    for (std::size_t i = c; i < old.size(); i += 30) {
      low = std::min(low, old[i]);
      high = std::max(high, old[i]);
    }
    ranges += (high - low) * (high - low) / 30;
  }
  CHECK(moved.change > 1e-3);
  CHECK(moved.change == doctest::Approx(std::sqrt(change / ranges)).epsilon(0.02));
}

TEST_CASE("math: a feature whose curves would change too much keeps its grid") {
  Feature feature({.intervals = 20}, -1, 1, 30);
  const Feature before = feature;
  const Numbers inputs = normals(6, 200, 30);  // one interval holds all that was
  const GridMoved moved = feature.move(inputs);
  CHECK(moved.fate == GridFate::rolled_back);
  CHECK(moved.change > 0.1);
  CHECK((feature.grid == before.grid && feature.domain == before.domain));
  CHECK(feature.coef == before.coef);
  CHECK(feature.move(inputs, {.most_change = INFINITY}).fate == GridFate::moved);
  CHECK(feature.domain[0] < inputs.front());
}

TEST_CASE("math: of Fourier and Chebyshev curves the domain alone moves") {
  for (const CurveBasis basis : {CurveBasis::fourier, CurveBasis::chebyshev}) {
    Feature feature({.basis = basis, .intervals = 4, .degree = 4}, -1, 1, 5);
    const std::vector<float> coef = feature.coef;
    CHECK(feature.move({-2, 0, 2}, {.pad = 0.25}).fate == GridFate::moved);
    CHECK(feature.domain == Numbers{-3, 3});
    CHECK(feature.coef == coef);
  }
}

TEST_CASE("math: inputs outside a domain are counted, and what is no number lies outside") {
  const Numbers domain = {-1, 1};
  CHECK(count_outside(Numbers{-1.5, -1, 0, 1, 1.1, std::nan("")}, domain) == 3);
}

TEST_CASE("golden/kaem/grid_update") {
  const Json* item = golden::field("kaem", "grid_update");
  if (item == nullptr) return;
  const auto row = [&](const char* name) { return golden_layer::tensor(item->at(name)).data; };
  const int intervals = static_cast<int>(item->at("G").integer());
  Numbers samples = row("samples");
  std::ranges::sort(samples);
  const double pad = item->at("pad_fraction").number();
  golden_layer::check_close("adaptive", moved_points(intervals, {.ratio = 0, .pad = 0}, samples),
                            row("adaptive"), 1e-9);
  const GridMove how{.ratio = item->at("ratio").number(),
                     .pad = pad,
                     .tau = item->at("tau").number(),
                     .most_change = INFINITY};
  const Numbers old_grid = row("old_grid"), old_coef = row("old_coef"), check = row("check_x");
  Feature feature({.intervals = intervals}, old_grid.front(), old_grid.back(), 1);
  feature.tau = how.tau;
  feature.grid = old_grid;
  feature.coef.assign(old_coef.begin(), old_coef.end());
  CHECK((feature.domain[1] - feature.domain[0]) / intervals ==
        doctest::Approx(item->at("old_h").number()).epsilon(1e-9));
  golden_layer::check_close("old curve", feature.values(check), row("old_curve"), 1e-7, 1);
  CHECK(feature.move(samples, how).fate == GridFate::moved);
  golden_layer::check_close("grid", feature.grid, row("new_grid"), 1e-9);
  CHECK((feature.domain[1] - feature.domain[0]) / intervals ==
        doctest::Approx(item->at("new_h").number()).epsilon(1e-9));
  CHECK(furthest(feature.values(check), row("new_curve")) < item->at("new_curve_tol").number());
}

}  // namespace logpx::curve_grid_test
