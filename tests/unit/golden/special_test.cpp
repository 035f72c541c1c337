// The special functions against tests/golden/special.json (mpmath, 60 digits).
#include "libcore/math/special.hpp"

#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx::special_test {
namespace {

// |computed - expected| <= tolerance * max(least, |expected|)
void check_close(double computed, double expected, double tolerance, double least) {
  CAPTURE(computed);
  CAPTURE(expected);
  CHECK(std::fabs(computed - expected) <= tolerance * std::max(least, std::fabs(expected)));
}

void compare(const std::string& name, double (*function)(double), double tolerance, double least) {
  const Json* cases = golden::field("special", name);
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const double x = golden::real(item.at(0));
    CAPTURE(x);
    check_close(function(x), golden::real(item.at(1)), tolerance, least);
  }
}

}  // namespace

TEST_CASE("golden/special/log_ndtr") { compare("log_ndtr", log_ndtr, 2e-13, 0); }
TEST_CASE("golden/special/erfinv") { compare("erfinv", erfinv, 4e-15, 0); }
TEST_CASE("golden/special/digamma") { compare("digamma", digamma, 4e-15, 1); }
TEST_CASE("golden/special/log_gamma") { compare("log_gamma", log_gamma, 4e-15, 1); }

TEST_CASE("golden/special/log_beta") {
  const Json* cases = golden::field("special", "log_beta");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const double a = golden::real(item.at(0)), b = golden::real(item.at(1));
    CAPTURE(a);
    CAPTURE(b);
    check_close(log_beta(a, b), golden::real(item.at(2)), 1e-13, 1);
  }
}

TEST_CASE("golden/special/log_sum_exp") {
  const Json* cases = golden::field("special", "log_sum_exp");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    std::vector<double> x;
    for (const Json& value : item.at(0).items()) x.push_back(golden::real(value));
    check_close(log_sum_exp(x), golden::real(item.at(1)), 4e-15, 0);
  }
}

}  // namespace logpx::special_test
