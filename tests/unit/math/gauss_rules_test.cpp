#include "libcore/math/gauss_rules.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/adaptive_quadrature.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace logpx::gauss_rules_test {
namespace {

using Numbers = std::vector<double>;

// |computed - expected| <= tolerance, one by one.
void check_near(const Numbers& computed, const Numbers& expected, double tolerance) {
  REQUIRE(computed.size() >= expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(std::fabs(computed[i] - expected[i]) <= tolerance);
}

template <typename Function>
double weighted(const Numbers& nodes, const Numbers& weights, Function f) {
  double sum = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) sum += weights[i] * f(nodes[i]);
  return sum;
}

double power_integral(std::int64_t degree) {
  return degree % 2 == 1 ? 0 : 2 / static_cast<double>(degree + 1);
}

template <typename Function>
RealFunction each(Function f) {
  return [f](std::span<const double> x, std::span<double> y) {
    std::transform(x.begin(), x.end(), y.begin(), f);
  };
}

}  // namespace

TEST_CASE("golden/kaem/gauss_legendre") {
  const Json* rules = golden::field("kaem", "gauss_legendre");
  if (!rules) return;
  for (const auto& [name, rule] : rules->members()) {
    const QuadratureRule& ours = gauss_legendre(std::stoll(name));
    const bool whole = rule.find("nodes") != nullptr;
    check_near(ours.nodes, golden_layer::tensor(rule.at(whole ? "nodes" : "nodes_first5")).data,
               1e-14);
    check_near(ours.weights,
               golden_layer::tensor(rule.at(whole ? "weights" : "weights_first5")).data, 1e-14);
    if (whole) continue;
    const double sum = weighted(ours.nodes, ours.weights, [](double x) { return std::exp(x); });
    CHECK(std::fabs(sum - golden::real(rule.at("exact_int_exp"))) <= 1e-14 * sum);
  }
}

TEST_CASE("golden/kaem/gauss_kronrod") {
  const Json* rules = golden::field("kaem", "gauss_kronrod");
  if (!rules) return;
  for (const auto& [name, item] : rules->members()) {  // GnKm
    const KronrodRule& ours = gauss_kronrod(std::stoll(name.substr(1)));
    check_near(ours.nodes, golden_layer::tensor(item.at("nodes")).data, 1e-14);
    check_near(ours.weights, golden_layer::tensor(item.at("kronrod_weights")).data, 1e-14);
    check_near(ours.gauss_weights,
               golden_layer::tensor(item.at("gauss_weights_on_kronrod_nodes")).data, 1e-14);
    const Json& example = item.at("example");
    const double low = golden::real(example.at("a")), high = golden::real(example.at("b"));
    const auto f = [](double z) { return std::exp(-z * z) * std::cos(3 * z); };
    const QuadratureRule kronrod = on_interval({ours.nodes, ours.weights}, low, high);
    const QuadratureRule gauss = on_interval({ours.nodes, ours.gauss_weights}, low, high);
    check_near({weighted(kronrod.nodes, kronrod.weights, f)}, {golden::real(example.at("K"))},
               1e-14);
    check_near({weighted(gauss.nodes, gauss.weights, f)}, {golden::real(example.at("G"))}, 1e-14);
    const AdaptiveIntegral exact =
        adaptive_integral(each(f), Numbers{low, high}, {.kronrod = std::stoll(name.substr(1))});
    check_near({exact.value}, {golden::real(example.at("exact"))}, 1e-13);
  }
}

TEST_CASE("quadrature: n Gauss-Legendre nodes are exact for polynomials of degree 2n - 1") {
  for (const std::int64_t n : {1, 2, 3, 7, 20, 101}) {
    const QuadratureRule& rule = gauss_legendre(n);
    for (std::int64_t degree = 0; degree < 2 * n; ++degree)
      CHECK(std::fabs(weighted(rule.nodes, rule.weights,
                               [&](double x) { return std::pow(x, static_cast<double>(degree)); }) -
                      power_integral(degree)) < 1e-14);
  }
}

TEST_CASE("quadrature: any number of Gauss-Legendre nodes rises, mirrored to the last bit") {
  for (const std::int64_t n : {200, 777, 2000}) {
    const QuadratureRule& rule = gauss_legendre(n);
    const std::size_t count = rule.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) CHECK(rule.nodes[i] > rule.nodes[i - 1]);
      CHECK(rule.nodes[i] == -rule.nodes[count - 1 - i]);
      CHECK(rule.weights[i] == rule.weights[count - 1 - i]);
    }
    const double oscillating =
        weighted(rule.nodes, rule.weights, [](double x) { return std::cos(100 * x); });
    CHECK(std::fabs(oscillating - std::sin(100.0) / 50) < 1e-14);
  }
}

TEST_CASE("quadrature: every Kronrod rule of 2 to 50 nodes is exact for degree 3n + 1") {
  for (std::int64_t n = 2; n <= 50; ++n) {
    const KronrodRule& rule = gauss_kronrod(n);
    CAPTURE(n);
    CHECK(std::is_sorted(rule.nodes.begin(), rule.nodes.end()));
    CHECK(rule.nodes.front() > -1);
    CHECK(*std::min_element(rule.weights.begin(), rule.weights.end()) > 0);
    for (std::int64_t degree = 0; degree <= 3 * n + 1; ++degree)
      CHECK(std::fabs(weighted(rule.nodes, rule.weights,
                               [&](double x) { return std::pow(x, static_cast<double>(degree)); }) -
                      power_integral(degree)) < 1e-14);
  }
}

TEST_CASE("quadrature: the trapezoid rule gains four times with twice the intervals") {
  const auto error = [](std::int64_t n) {
    const QuadratureRule rule = on_interval(trapezoid(n), 0, 1);
    return weighted(rule.nodes, rule.weights, [](double x) { return std::exp(x); }) -
           std::expm1(1.0);
  };
  CHECK(error(41) / error(81) == doctest::Approx(4).epsilon(1e-3));
  CHECK(trapezoid(5).nodes == Numbers{-1, -0.5, 0, 0.5, 1});
}

TEST_CASE("quadrature: panels that meet in a kink integrate it exactly") {
  const Numbers breaks = {-1.2, 0, 0.3, 1.2};
  const QuadratureRule rule = composite_gauss_legendre(breaks, 20);
  CHECK(rule.nodes.size() == 10 + 4 + 8);  // shares of the length, at least 4
  CHECK(std::is_sorted(rule.nodes.begin(), rule.nodes.end()));
  const double kinked =
      weighted(rule.nodes, rule.weights, [](double x) { return std::max(x, 0.0) + (x > 0.3); });
  CHECK(kinked == doctest::Approx(0.72 + 0.9).epsilon(1e-15));
}

TEST_CASE("quadrature: panels halve until the error is small, also at a singular end") {
  const AdaptiveIntegral root = adaptive_integral(each([](double x) { return 1 / std::sqrt(x); }),
                                                  Numbers{0, 1}, {.tolerance = 1e-9});
  CHECK(root.value == doctest::Approx(2).epsilon(1e-9));
  CHECK(root.panels.size() > 20);
  const AdaptiveIntegral peak = adaptive_integral(
      each([](double x) { return 1e-4 / (x * x + 1e-8); }), Numbers{-1, 0.5, 2}, {});
  const double expected = std::atan(2e4) + std::atan(1e4);
  CHECK(std::fabs(peak.value - expected) < 1e-11 * expected);
  CHECK(peak.error <= 1e-12 * expected);
  double end = -1;
  for (const QuadraturePanel& panel : peak.panels) {
    CHECK(panel.low == end);
    end = panel.high;
  }
  CHECK(end == 2);
  CHECK(adaptive_integral(each([](double) { return 0.0; }), Numbers{0, 1}, {}).value == 0);
}

TEST_CASE("quadrature: too few panels and infinite values are numeric errors") {
  const auto noise = each([](double x) { return std::sin(1e7 * x * x); });
  CHECK_THROWS_AS((void)adaptive_integral(noise, Numbers{0, 1}, {.panels = 50}), Error);
  const auto pole = each([](double x) { return 1 / (x - 0.5) / (x - 0.5); });
  CHECK_THROWS_AS((void)adaptive_integral(pole, Numbers{0, 1}, {}), Error);
}

}  // namespace logpx::gauss_rules_test
