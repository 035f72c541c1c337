#include "libcore/math/symbolic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace logpx::symbolic_test {
namespace {

Formula formula_of(const char* name, double a, double b, double c, double d) {
  return {symbolic_function(name), a, b, c, d};
}

double value_of(const Formula& formula, double z) {
  double y = 0;
  evaluate(formula, {&z, 1}, {&y, 1});
  return y;
}

}  // namespace

TEST_CASE("symbolic: functions keep their places, for models store them by place") {
  std::string names;
  for (const SymbolicFunction& function : symbolic_functions())
    names += function.name + std::string(" ");
  CHECK(names ==
        "0 x x^2 x^3 x^4 x^5 1/x 1/x^2 sqrt 1/sqrt exp log abs sin cos tan tanh sign asin acos "
        "atan atanh gaussian ");
  CHECK(symbolic_functions()[15].complexity == 3);
}

TEST_CASE("symbolic: slopes are the derivatives of the values") {
  for (std::int64_t f = 0; f < std::ssize(symbolic_functions()); ++f) {
    CAPTURE(symbolic_functions()[static_cast<std::size_t>(f)].name);
    const Formula formula{f, -0.7, 0.4, 1.3, -0.2};  // its argument is 0.05 .. 0.61
    for (const double z : {-0.3, 0.1, 0.5}) {
      REQUIRE(is_finite_on(formula, -0.31, 0.51));
      const double step = 1e-6;
      double y = 0, slope = 0;
      evaluate(formula, {&z, 1}, {&y, 1}, {&slope, 1});
      CHECK(slope == doctest::Approx((value_of(formula, z + step) - value_of(formula, z - step)) /
                                     (2 * step))
                         .epsilon(1e-6));
      CHECK(y == value_of(formula, z));
    }
  }
}

TEST_CASE("symbolic: a formula is finite on an interval only where no pole and no edge is inside") {
  CHECK(is_finite_on(formula_of("1/x", 1, 2, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("1/x", 1, 1, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("1/x^2", -1, 0.5, 1, 0), -1.5, 1.5));
  CHECK(is_finite_on(formula_of("sqrt", 1, 1.5, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("1/sqrt", 1, 1.5, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("log", -1, 1, 1, 0), -1.5, 1.5));
  CHECK(is_finite_on(formula_of("tan", 1, 0, 1, 0), -1.5, 1.5));
  CHECK(is_finite_on(formula_of("tan", 1, 3.14159, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("tan", 1.1, 0, 1, 0), -1.5, 1.5));
  CHECK(is_finite_on(formula_of("asin", -0.5, 0.25, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("acos", 0.7, 0, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("atanh", 0.5, 0.25, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("exp", 1000, 0, 1, 0), -1.5, 1.5));
  CHECK(!is_finite_on(formula_of("x", 1, 0, std::nan(""), 0), -1.5, 1.5));
}

TEST_CASE("symbolic: only abs and sign have a kink, and it is where their argument is 0") {
  CHECK(*kink_of(formula_of("abs", 2, -1, 3, 0)) == 0.5);
  CHECK(*kink_of(formula_of("sign", -4, 1, 3, 0)) == 0.25);
  CHECK(!kink_of(formula_of("abs", 2, -1, 0, 1)));
  CHECK(!kink_of(formula_of("x", 2, -1, 1, 1)));
}

TEST_CASE("symbolic: text leaves out ones and zeros") {
  CHECK(formula_text(formula_of("sin", 3, 2, 5, 0.7)) == "5*sin(3*z + 2) + 0.7");
  CHECK(formula_text(formula_of("x^2", 1, -0.375, -1.28, 1)) == "-1.28*(z - 0.375)^2 + 1");
  CHECK(formula_text(formula_of("x^2", 1, 0, 1, 0)) == "z^2");
  CHECK(formula_text(formula_of("x", 1, 0, 0.7, -0.1)) == "0.7*z - 0.1");
  CHECK(formula_text(formula_of("1/x", -1, 2, 3, 0)) == "3/(-z + 2)");
  CHECK(formula_text(formula_of("gaussian", 1.4, 0.2, -1, 0)) == "-exp(-(1.4*z + 0.2)^2)");
  CHECK(formula_text({}) == "0");
  CHECK(formula_text(formula_of("0", 1, 0, 1, 0.25)) == "0.25");
  CHECK(formula_text(formula_of("tanh", 1.0 / 3, 0, 1, 0), 3) == "tanh(0.333*z)");
}

TEST_CASE("symbolic: code is an expression with all digits") {
  const double third = 1.0 / 3;
  CHECK(formula_code(formula_of("x^3", third, 0, 2, -1), CodeLanguage::c) ==
        "2*pow(0.3333333333333333*z, 3) - 1");
  CHECK(formula_code(formula_of("x^3", third, 0, 2, -1), CodeLanguage::python) ==
        "2*(0.3333333333333333*z)**3 - 1");
  CHECK(formula_code(formula_of("sign", 1, 0, 0.5, 0), CodeLanguage::c) ==
        "0.5*(((z) > 0) - ((z) < 0))");
  CHECK(formula_code(formula_of("gaussian", 1, 1, 1, 0), CodeLanguage::python) ==
        "math.exp(-(z + 1)**2)");
}

}  // namespace logpx::symbolic_test
