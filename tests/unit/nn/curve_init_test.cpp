#include "libcore/nn/curve_init.hpp"

#include "libcore/base/index.hpp"
#include "libcore/math/curve_grid.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::curve_init_test {
namespace {

std::vector<float> filled(const Filling& filling, std::size_t count, std::uint64_t seed = 1) {
  std::vector<float> values(count);
  filling(values, Substream(seed, Stream::init, 3));
  return values;
}

struct Moments {
  double mean = 0, square = 0;
};
template <typename Numbers>
Moments moments(const Numbers& values) {
  Moments m;
  for (const auto value : values) {
    m.mean += static_cast<double>(value) / static_cast<double>(values.size());
    m.square += static_cast<double>(value) * static_cast<double>(value) /
                static_cast<double>(values.size());
  }
  return m;
}

const Fans fans{30, 70};
constexpr double variance = 0.02;  // 2 / (30 + 70)

}  // namespace

TEST_CASE("init: curves start as noise of eps (U - 1/2)/G at the points of their grid") {
  for (const CurveBasis basis : {CurveBasis::rbf, CurveBasis::bspline, CurveBasis::rswaf}) {
    const CurveForm form{.basis = basis, .intervals = 10, .degree = 3};
    const CurveStart start{.form = form,
                           .fans = fans,
                           .scales = {.eps = 0.5},
                           .low = -2,
                           .high = 2,
                           .tau = basis == CurveBasis::rswaf ? 0.4 : 1};
    const std::int64_t columns = basis_size(form), curves = 700;
    const std::vector<float> coef = filled(initial_coef(start), at(curves * columns));
    const std::vector<double> x = uniform_grid(-2, 2, 10), grid = grid_of(form, x);
    std::vector<double> functions(x.size() * at(columns)), noise;
    basis_values<double>(form, {grid, 0.4, start.tau}, x, {.values = functions});
    for (std::int64_t c = 0; c < curves; ++c)
      for (std::size_t j = 0; j < x.size(); ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < columns; ++k)
          sum +=
              functions[j * at(columns) + at(k)] * static_cast<double>(coef[at(c * columns + k)]);
        noise.push_back(sum);
        CHECK(std::fabs(sum) < 0.5 * 0.05 * 1.001);
      }
    const Moments m = moments(noise);
    const double expected = 0.05 * 0.05 / 12;  // of a uniform variable
    CHECK(m.square == doctest::Approx(expected).epsilon(0.05));
    CHECK(std::fabs(m.mean) < 5 * std::sqrt(expected / 7700));
  }
}

TEST_CASE("init: waves start smaller the shorter they are") {
  const CurveForm form{.basis = CurveBasis::fourier, .intervals = 3};
  const std::vector<float> coef = filled(initial_coef({.form = form, .fans = fans}), 80000);
  for (std::size_t k = 0; k < 8; ++k) {
    std::vector<float> of_wave;
    for (std::size_t e = k; e < coef.size(); e += 8) of_wave.push_back(coef[e]);
    const double wave = static_cast<double>(k % 4 + 1);
    CHECK(moments(of_wave).square ==
          doctest::Approx(variance / 30 / std::pow(wave, 4)).epsilon(0.08));
  }
}

TEST_CASE("init: Chebyshev functions start at one size") {
  const CurveForm form{.basis = CurveBasis::chebyshev, .degree = 4};
  const Moments m = moments(filled(initial_coef({.form = form, .fans = fans}), 40000));
  CHECK(m.square == doctest::Approx(variance / (30.0 * 30 * 5 * 5)).epsilon(0.05));
}

TEST_CASE("init: weights of base and spline have the sizes of their formulas") {
  const CurveStart start{
      .form = {}, .fans = fans, .scales = {.mu = 2, .sigma_b = 3, .sigma_s = 0.5}};
  // E (mu + sigma_b (2 U - 1))^2 = mu^2 + sigma_b^2 / 3
  const Moments base = moments(filled(initial_w_base(start), 40000));
  CHECK(base.square == doctest::Approx(variance * (4 + 3) / 30).epsilon(0.05));
  CHECK(std::fabs(base.mean) < 5 * std::sqrt(base.square / 40000));
  const Moments spline = moments(filled(initial_w_spline(start), 40000));
  CHECK(spline.square == doctest::Approx(variance * 0.25).epsilon(0.05));
}

TEST_CASE("init: the same seed starts the same curves, another one others") {
  const CurveStart start{.form = {.intervals = 5}, .fans = fans};
  CHECK(filled(initial_coef(start), 600) == filled(initial_coef(start), 600));
  CHECK(filled(initial_coef(start), 600) != filled(initial_coef(start), 600, 2));
  // A curve does not depend on how many there are.
  const std::vector<float> few = filled(initial_coef(start), 60),
                           many = filled(initial_coef(start), 6000);
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
}

}  // namespace logpx::curve_init_test
