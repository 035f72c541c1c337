#include "libcore/math/special.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace logpx::special_test {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("special: log_sum_exp of nothing is -inf, and infinities pass") {
  CHECK(log_sum_exp(std::span<const double>()) == -infinity);
  CHECK(log_sum_exp(std::vector<double>{-infinity, -infinity}) == -infinity);
  CHECK(log_sum_exp(std::vector<double>{-infinity, 3}) == 3);
  CHECK(log_sum_exp(std::vector<double>{infinity, 3}) == infinity);
  CHECK(log_sum_exp(std::vector<float>{0, 0}) == doctest::Approx(std::log(2)).epsilon(1e-15));
  CHECK(log_add_exp(-infinity, -infinity) == -infinity);
  CHECK(log_add_exp(1, -infinity) == 1);
  CHECK(log_add_exp(2, 1) == log_add_exp(1, 2));
}

TEST_CASE("special: NaN in, NaN out") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(log_sum_exp(std::vector<double>{0, nan, 1})));
  CHECK(std::isnan(log_sum_exp(std::vector<double>{nan, 1})));
  CHECK(std::isnan(log_ndtr(nan)));
  CHECK(std::isnan(erfinv(nan)));
  CHECK(std::isnan(normal_quantile(nan)));
  CHECK(std::isnan(digamma(nan)));
  CHECK(std::isnan(log_gamma(nan)));
}

TEST_CASE("special: limits and poles") {
  CHECK(log_ndtr(-infinity) == -infinity);
  CHECK(log_ndtr(infinity) == 0);
  CHECK(erfinv(1) == infinity);
  CHECK(erfinv(-1) == -infinity);
  CHECK(std::isnan(erfinv(1.0000001)));
  CHECK(erfinv(0) == 0);
  CHECK(normal_quantile(0) == -infinity);
  CHECK(normal_quantile(1) == infinity);
  CHECK(normal_quantile(0.5) == 0);
  CHECK(std::isnan(normal_quantile(-0.1)));
  CHECK(std::isnan(normal_quantile(1.1)));
  CHECK(std::isnan(digamma(0)));
  CHECK(std::isnan(digamma(-3)));
  CHECK(digamma(infinity) == infinity);
  CHECK(log_gamma(0) == infinity);
  CHECK(log_beta(3, 700) == log_beta(700, 3));
}

TEST_CASE("special: normal_quantile undoes log_ndtr, far into the lower tail") {
  for (const double x : {-30.0, -12.0, -5.0, -1.0, -0.3, -1e-9})
    CHECK(normal_quantile(std::exp(log_ndtr(x))) == doctest::Approx(x).epsilon(1e-13));
  CHECK(normal_quantile(0.25) == -normal_quantile(0.75));
}

TEST_CASE("special: the repeatable log_gamma agrees with libm's") {
  for (const double x :
       {1e-300, 1e-10, 0.3, 0.9999, 1.0, 1.5, 2.0, 2.0001, 9.99, 10.0, 255.0, 4096.5, 1e9}) {
    CAPTURE(x);
    const double expected = log_gamma(x);
    CHECK(std::fabs(repeatable_log_gamma(x) - expected) <=
          1e-14 * std::max(1.0, std::fabs(expected)));
  }
  for (const double x : {0.0, -0.5, -infinity, std::nan("")})
    CHECK(std::isnan(repeatable_log_gamma(x)));
  CHECK(digamma(infinity) == infinity);
}

}  // namespace logpx::special_test
