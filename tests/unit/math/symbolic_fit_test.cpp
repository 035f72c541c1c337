#include "libcore/math/symbolic_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace logpx::symbolic_fit_test {
namespace {

struct Curve {
  std::vector<double> z, y, weights;
  double low = -1.5, high = 1.5;

  // Evenly over the interval, ends left out.
  template <typename Function>
  Curve(Function f, double from, double to, int count = 32) : low(from), high(to) {
    for (int i = 0; i < count; ++i) {
      z.push_back(low + (high - low) * (i + 0.5) / count);
      y.push_back(f(z.back()));
      weights.push_back(1);
    }
  }
  [[nodiscard]] SymbolicFits fit(const SymbolicOptions& options = {}) const {
    return fit_formulas({z, y, weights, low, high}, options);
  }
};

std::string name_of(const SymbolicFit& fit) {
  return symbolic_functions()[static_cast<std::size_t>(fit.formula.function)].name;
}

const SymbolicFit* candidate(const SymbolicFits& fits, const std::string& name) {
  for (const SymbolicFit& fit : fits.candidates)
    if (name_of(fit) == name) return &fit;
  return nullptr;
}

}  // namespace

TEST_CASE("symbolic fit: a curve that a function of the list draws is found to be it") {
  for (std::int64_t f = 1; f < std::ssize(symbolic_functions()); ++f) {
    const std::string name = symbolic_functions()[static_cast<std::size_t>(f)].name;
    CAPTURE(name);
    // Arguments lie between 0.09 and 0.95, where all are finite.
    const Formula truth{f, 0.43 / 1.5, 0.52, 1.7, -0.3};
    const Formula wide{f, 1.1, -0.4, 1.7, -0.3};
    const bool everywhere = is_finite_on(wide, -1.5, 1.5);
    const Curve curve(
        [&](double z) {
          double y = 0;
          evaluate(everywhere ? wide : truth, {&z, 1}, {&y, 1});
          return y;
        },
        -1.5, 1.5);
    const SymbolicFits fits = curve.fit();
    const SymbolicFit* own = candidate(fits, name);
    REQUIRE(own != nullptr);
    CHECK(own->r2 > (name == "sign" ? 0.999999 : 0.99999999));
    CHECK(fits.best().r2 > 0.99999);
    CHECK(fits.best().score <= own->score);
    CHECK(!fits.poor);
  }
}

TEST_CASE("symbolic fit: of functions that fit equally well the simplest is taken") {
  const SymbolicFits line = Curve([](double z) { return 0.7 * z - 0.1; }, -1.5, 1.5).fit();
  CHECK(name_of(line.best()) == "x");
  CHECK(formula_text(line.best().formula) == "0.7*z - 0.1");
  const SymbolicFits square =
      Curve([](double z) { return -2 * (z - 0.4) * (z - 0.4); }, -1, 1).fit();
  CHECK(name_of(square.best()) == "x^2");
  CHECK(square.best().formula.a == 1);
  CHECK(square.best().formula.b == doctest::Approx(-0.4));
  CHECK(square.best().formula.c == doctest::Approx(-2));
}

TEST_CASE("symbolic fit: simplicity decides between a close fit and a simple one") {
  const Curve curve([](double z) { return z + 0.05 * std::sin(9 * z); }, -1.5, 1.5);
  CHECK(name_of(curve.fit({.simplicity = 0.9}).best()) == "x");
  const SymbolicFits close = curve.fit({.simplicity = 0});
  for (const SymbolicFit& fit : close.candidates) CHECK(fit.r2 <= close.best().r2);
}

TEST_CASE("symbolic fit: a flat curve is a constant, and no other curve is") {
  const SymbolicFits flat = Curve([](double) { return 0.25; }, 0, 1).fit();
  REQUIRE(flat.candidates.size() == 1);
  CHECK(name_of(flat.best()) == "0");
  CHECK(formula_text(flat.best().formula) == "0.25");
  const Curve nearly([](double z) { return 4e-4 * z * z; }, -1, 1);
  CHECK(name_of(nearly.fit({.flat = 1e-3}).best()) == "0");
  const SymbolicFits small = nearly.fit();
  CHECK(name_of(small.best()) == "x^2");
  CHECK(candidate(small, "0") == nullptr);
}

TEST_CASE("symbolic fit: what has a pole or no value on the interval is no candidate") {
  // 1/x would fit the points on either side of its pole at 0.25.
  Curve curve([](double z) { return 1 / (z - 0.25); }, -1.5, 1.5);
  const SymbolicFits fits = curve.fit();
  for (const SymbolicFit& fit : fits.candidates)
    CHECK(is_finite_on(fit.formula, curve.low, curve.high));
  const SymbolicFits root = Curve([](double z) { return std::sqrt(z); }, 0.1, 2).fit();
  CHECK(name_of(root.best()) == "sqrt");
}

TEST_CASE("symbolic fit: a curve that no function of the list draws is said to fit poorly") {
  const SymbolicFits fits = Curve([](double z) { return std::sin(25 * z * z); }, -1.5, 1.5).fit();
  CHECK(fits.poor);
  CHECK(fits.best().r2 < 0.9);
}

TEST_CASE("symbolic fit: weights say where a fit must be close") {
  Curve curve([](double z) { return z < 0 ? z * z : 5 * std::sin(40 * z); }, -1, 1, 200);
  for (std::size_t i = 0; i < curve.z.size(); ++i) curve.weights[i] = curve.z[i] < 0 ? 3 : 0;
  const SymbolicFits fits = curve.fit();
  CHECK(fits.best().r2 > 0.99999);
  CHECK(fits.best().formula.b == doctest::Approx(0).epsilon(1e-3));
}

TEST_CASE("symbolic fit: formulas are no small differences of large terms") {
  const Curve curve([](double z) { return z * z + 1e-4 * z * z * z; }, -0.5, 0.5);
  for (const SymbolicFit& fit : curve.fit().candidates) {
    CAPTURE(formula_text(fit.formula));
    CHECK((name_of(fit) == "x" || std::fabs(fit.formula.d) < 20));
  }
}

}  // namespace logpx::symbolic_fit_test
