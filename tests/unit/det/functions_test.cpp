#include "libcore/det/functions.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace logpx::functions_test {

TEST_CASE("det: functions agree with libm to a few units in the last place") {
  const double ulp = std::numeric_limits<double>::epsilon();
  for (int i = -7000; i <= 7000; ++i) {
    const double x = 0.1 * i + 0.0123;
    CAPTURE(x);
    CHECK(det_exp(x) == doctest::Approx(std::exp(x)).epsilon(4 * ulp).scale(0));
    CHECK(std::fabs(det_tanh(x) - std::tanh(x)) <= 4 * ulp);
    CHECK(det_softplus(x) ==
          doctest::Approx(std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x)))).epsilon(1e-12));
    const SinCos circle = det_sincos(x);
    CHECK(std::fabs(circle.sin - std::sin(x)) <= 2 * ulp);
    CHECK(std::fabs(circle.cos - std::cos(x)) <= 2 * ulp);
  }
  for (int e = -1074; e < 1024; ++e)
    for (const double m : {1.0, 1.2, 1.41421356, 1.41421357, 1.99}) {
      const double x = std::ldexp(m, e);
      if (x == 1.0 || std::isinf(x)) continue;
      CAPTURE(x);
      CHECK(det_log(x) == doctest::Approx(std::log(x)).epsilon(4 * ulp).scale(0));
    }
  CHECK(det_log(1.0) == 0.0);
}

TEST_CASE("det: the normal distribution function keeps its relative accuracy in the tail") {
  // The reference rounds x / sqrt(2), which costs x^2 / 2 of its last place.
  for (double x = -37; x <= 8; x += 0.0625) {
    CAPTURE(x);
    CHECK(det_ndtr(x) ==
          doctest::Approx(0.5 * std::erfc(-x / std::sqrt(2.0))).epsilon(1e-12).scale(0));
  }
  CHECK(det_ndtr(-38) == 0.0);
  CHECK(det_ndtr(38) == 1.0);
}

TEST_CASE("det: results stay finite at the ends of the range, not-a-number stays so") {
  CHECK(det_exp(-1e300) == 0.0);
  CHECK(det_exp(1e300) == det_exp(709.0));
  CHECK(std::isfinite(det_exp(709.0)));
  CHECK(det_sigmoid(1e300) == 1.0);
  CHECK(det_sigmoid(-1e300) == 0.0);
  CHECK(det_softplus(-1e300) == 0.0);
  CHECK(det_softplus(1e300) == 1e300);
  CHECK(std::signbit(det_tanh(-1e-300)));
  CHECK(std::isnan(det_exp(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("det: quantile is odd, rises, and inverts the distribution function") {
  Workers workers(2);
  const auto& table = quantile_table(10, workers);
  REQUIRE(table.size() == 1025);
  CHECK(std::isinf(table.front()));
  CHECK(std::isinf(table.back()));
  for (std::uint32_t i = 1; i < 1024; ++i) {
    CHECK(table[i] == quantile(i, 10));
    CHECK(table[i] == -table[1024 - i]);
    CHECK(table[i] > table[i - 1]);
    CHECK(det_ndtr(table[i]) == doctest::Approx(i / 1024.0).epsilon(1e-12).scale(0));
  }
  CHECK(&quantile_table(10, workers) == &table);
}

TEST_CASE("det: expm1 and log1p keep the digits near 0") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double size :
       {1e-300, 1e-20, 1e-9, 1e-4, 0.01, 0.0999, 0.1, 0.1001, 0.5, 0.999, 1.0, 30.0})
    for (const double x : {size, -size}) {
      CAPTURE(x);
      const auto grown = static_cast<double>(std::expm1(static_cast<long double>(x)));
      CHECK(std::fabs(det_expm1(x) - grown) <= 4e-15 * std::fabs(grown));
      if (x <= -1) continue;
      const auto logarithm = static_cast<double>(std::log1p(static_cast<long double>(x)));
      CHECK(std::fabs(det_log1p(x) - logarithm) <= 1e-15 * std::fabs(logarithm));
    }
  CHECK(det_expm1(0.0) == 0.0);
  CHECK(det_expm1(-800.0) == -1.0);
  CHECK(det_log1p(0.0) == 0.0);
  CHECK(det_log1p(-1.0) == -infinity);
  CHECK(det_log1p(infinity) == infinity);
  CHECK(std::isnan(det_log1p(-2.0)));
  CHECK(std::isnan(det_log1p(std::nan(""))));
  CHECK(std::isnan(det_expm1(std::nan(""))));
}

TEST_CASE("det: what is not a number stays so") {
  for (const double sign : {1.0, -1.0}) {
    const double x = std::copysign(std::nan(""), sign);
    for (const auto function : {det_exp, det_tanh, det_sigmoid, det_softplus})
      CHECK(std::isnan(function(x)));
    CHECK(std::isnan(det_sincos(x).sin));
  }
  CHECK(std::isnan(det_sincos(std::numeric_limits<double>::infinity()).cos));
}

}  // namespace logpx::functions_test
