#include "libcore/math/inverse_cdf.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/special.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::inverse_cdf_test {
namespace {

using Numbers = std::vector<double>;
constexpr double nothing = -std::numeric_limits<double>::infinity();

template <typename Function>
IntervalDensity density_of(Function log_g, Numbers breaks) {
  return {[log_g](std::span<const double> z, std::span<double> y) {
            std::transform(z.begin(), z.end(), y.begin(), log_g);
          },
          std::move(breaks)};
}

Numbers equal_shares(std::size_t count) {
  Numbers u;
  for (std::size_t i = 0; i < count; ++i)
    u.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  return u;
}

constexpr Inversion every_method[] = {Inversion::exact, Inversion::hermite, Inversion::cells,
                                      Inversion::nodes};

}  // namespace

TEST_CASE("inverse: quantiles of a normal and an exponential are those of the closed form") {
  const IntervalDensity normal = density_of([](double z) { return 7 - z * z / 2; }, {-12, 12});
  const InverseCdf inverse(normal, {});
  CHECK(inverse.log_total() == doctest::Approx(7 + std::log(2 * std::acos(-1.0)) / 2));
  for (const double u : equal_shares(999))
    CHECK(std::fabs(inverse.quantile(u) - normal_quantile(u)) < 1e-7);
  const IntervalDensity falling = density_of([](double z) { return -3 * z; }, {0, 8});
  for (const Inversion method : {Inversion::exact, Inversion::hermite}) {
    const InverseCdf of_falling(falling, {.method = method});
    for (const double u : equal_shares(99)) {
      const double z = of_falling.quantile(u);
      CHECK(std::fabs(std::expm1(-3 * z) / std::expm1(-24.0) - u) <
            (method == Inversion::exact ? 1e-11 : 1e-4));
      CHECK(of_falling.slope(u) ==
            doctest::Approx(std::exp(3 * z) / 3).epsilon(method == Inversion::exact ? 1e-5 : 0.02));
    }
  }
}

TEST_CASE("inverse: quantiles rise with u and stay within the mass") {
  // Nothing below 0 and between 1 and 2; a pole of the logarithm at 3.
  const IntervalDensity islands = density_of(
      [](double z) { return z < 0 || (z > 1 && z < 2) ? nothing : std::log(std::max(3 - z, 0.0)); },
      {-1, 0, 1, 2, 3});
  Numbers u = equal_shares(20000);
  for (const double tail : {1e-300, 1e-17, 1e-12, 1e-9}) u.insert(u.begin(), tail);
  u.push_back(1 - 1e-12);
  std::sort(u.begin(), u.end());
  for (const Inversion method : every_method) {
    CAPTURE(static_cast<int>(method));
    const InverseCdf inverse(islands, {.method = method});
    Numbers z(u.size());
    inverse.quantiles(u, z);
    CHECK(std::is_sorted(z.begin(), z.end()));
    CHECK(inverse.quantile(-1) == inverse.low());
    CHECK(inverse.quantile(0) == inverse.low());
    CHECK(inverse.quantile(1) == inverse.high());
    CHECK(inverse.quantile(2) == inverse.high());
    CHECK(z.front() >= inverse.low());
    CHECK(z.back() <= inverse.high());
    if (method == Inversion::exact || method == Inversion::hermite) {
      CHECK(inverse.low() == 0);
      CHECK(inverse.high() == 3);
      for (const double value : z) CHECK((value <= 1 || value >= 2));
    }
  }
  const PanelCdf target(islands);
  Numbers z(u.size());
  InverseCdf(target).quantiles(u, z);
  CHECK(largest_u_error(target, u, z) < 1e-11);
  CHECK(target.cdf(1.5) == doctest::Approx(2.5 / 3).epsilon(1e-12));
  // F is flat between: the infimum is where the mass below ends.
  CHECK(std::fabs(InverseCdf(target).quantile(target.cdf(1.5)) - 1) < 1e-9);
}

TEST_CASE("inverse: densities with singular, empty and steep parts keep the error of exact") {
  const IntervalDensity hard[] = {
      density_of([](double z) { return z > 0 ? std::log(z) / 2 : nothing; }, {0, 1}),
      density_of([](double z) { return z > 0 ? -0.3 * std::log(z) : nothing; }, {0, 1}),
      density_of([](double z) { return -5e5 * z * z; }, {-1, 0, 1}),
      density_of([](double z) { return 8 * std::sin(40 * z); }, {0, 5}),
      density_of([](double z) { return std::fabs(z - 0.3) < 0.2 ? 0.0 : -900.0; },
                 {0, 0.1, 0.5, 1})};
  const Numbers u = equal_shares(3001);
  Numbers z(u.size());
  for (const IntervalDensity& density : hard) {
    const PanelCdf target(density);
    InverseCdf(target).quantiles(u, z);
    CHECK(largest_u_error(target, u, z) <= 1e-10);
  }
}

TEST_CASE("inverse: a table's density is followed between its points, and never below 0") {
  const Numbers z = {0, 1, 2, 4}, density = {0, 2, 2, 0};
  const PanelCdf linear(tabulated_density(z, density, TableCurve::linear));
  CHECK(std::exp(linear.log_total()) == doctest::Approx(5).epsilon(1e-12));
  CHECK(linear.cdf(1) == doctest::Approx(0.2).epsilon(1e-11));
  CHECK(InverseCdf(linear).quantile(0.05) == doctest::Approx(0.5).epsilon(1e-9));
  const PanelCdf cubic(tabulated_density(z, density, TableCurve::cubic));
  for (double x = 0; x <= 4; x += 0.01) {
    const double p = std::exp(cubic.log_density(x) + cubic.log_total());
    CHECK((p >= 0 && p <= 2 + 1e-12));
  }
  const PanelCdf bars(histogram_density(Numbers{0, 1, 3}, Numbers{30, 10}));
  CHECK(bars.cdf(1) == doctest::Approx(0.75).epsilon(1e-12));
  CHECK(bars.cdf(2) == doctest::Approx(0.875).epsilon(1e-12));
  CHECK(InverseCdf(bars).quantile(0.25) == doctest::Approx(1.0 / 3).epsilon(1e-9));
}

TEST_CASE("inverse: the error of hermite falls sixteen times with half the steps") {
  const IntervalDensity waves = density_of([](double z) { return std::sin(3 * z); }, {0, 4});
  const PanelCdf target(waves);
  const Numbers u = equal_shares(2001);
  Numbers z(u.size());
  const auto error = [&](std::int64_t nodes) {
    InverseCdf(waves, {.method = Inversion::hermite, .nodes = nodes}).quantiles(u, z);
    return largest_u_error(target, u, z);
  };
  CHECK(error(50) / error(100) == doctest::Approx(16).epsilon(0.2));
}

TEST_CASE("inverse: a table of hermite is inverse to itself, and is made again in place") {
  HermiteCdf table(Numbers{-1, 0, 2}, 40);
  Numbers log_g(table.points().size());
  for (const double slope : {0.5, -2.0, 9.0}) {
    for (std::size_t i = 0; i < log_g.size(); ++i) log_g[i] = slope * std::fabs(table.points()[i]);
    table.rebuild(log_g);
    for (const double u : equal_shares(500)) {
      const double z = table.quantile(u);
      CHECK(std::fabs(table.cdf(z) - u) < 2e-12);
      CHECK(table.slope(u) * table.density(z) == doctest::Approx(1).epsilon(1e-6));
    }
  }
}

TEST_CASE("inverse: no sample lies beyond the end, nor below one before, by a rounding") {
  for (double end = 0.1; end < 5; end += 0.0137) {
    const InverseCdf inverse(density_of([](double) { return 0.0; }, {-0.3, end / 3, end}),
                             {.method = Inversion::hermite, .nodes = 10});
    const Numbers u = {0.1, 0.2, 0.2 + 1e-16, 0.4, 0.6, 0.9, 1 - 0x1p-53, 1};
    Numbers z(u.size());
    inverse.quantiles(u, z);
    CHECK(std::is_sorted(z.begin(), z.end()));
    CHECK(z.back() <= end);
  }
}

TEST_CASE("inverse: densities without finite mass are numeric errors") {
  const Numbers ends = {0, 1};
  for (const Inversion method : every_method) {
    const auto make = [&](auto log_g) {
      return InverseCdf(density_of(log_g, ends), {.method = method});
    };
    CHECK_THROWS_AS((void)make([](double) { return nothing; }), Error);
    CHECK_THROWS_AS((void)make([](double) { return -nothing; }), Error);
    CHECK_THROWS_AS((void)make([](double z) { return z > 0.5 ? std::nan("") : 0.0; }), Error);
    // neither too large nor too small for its logarithm
    CHECK(make([](double) { return 1e5; }).log_total() == doctest::Approx(1e5));
    CHECK(make([](double) { return -1e5; }).log_total() == doctest::Approx(-1e5));
  }
}

}  // namespace logpx::inverse_cdf_test
