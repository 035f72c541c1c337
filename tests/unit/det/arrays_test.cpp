#include "libcore/det/arrays.hpp"

#include "libcore/det/array_kernels.hpp"
#include "libcore/det/functions.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace logpx::arrays_test {
namespace {

struct Case {
  const char* name;
  double (*scalar)(double);
  det::ArrayFunction det::ArrayKernels::*array;
  bool positive;  // domain
};
const Case cases[] = {{"exp", det_exp, &det::ArrayKernels::exp, false},
                      {"log", det_log, &det::ArrayKernels::log, true},
                      {"sigmoid", det_sigmoid, &det::ArrayKernels::sigmoid, false},
                      {"tanh", det_tanh, &det::ArrayKernels::tanh, false},
                      {"softplus", det_softplus, &det::ArrayKernels::softplus, false},
                      {"ndtr", det_ndtr, &det::ArrayKernels::ndtr, false}};

// Every scale, both signs, the ends of the ranges.
std::vector<double> inputs(bool positive) {
  std::vector<double> x = {0.0,
                           -0.0,
                           708.0,
                           -708.0,
                           708.5,
                           -708.5,
                           709.0,
                           710.0,
                           -37.9,
                           38.0,
                           -38.0,
                           38.1,
                           1e300,
                           -1e300,
                           0x1p-1022,
                           1e-310,
                           5e-324,
                           0x1.6a09e667f3bcdp+0,
                           0x1.6a09e667f3bcep+0,
                           1.0,
                           2.0,
                           std::nextafter(-708.0, 0.0),
                           std::nextafter(-708.0, -800.0)};
  const std::vector<double> normals = random_values<double>(800, 6000);
  for (std::size_t i = 0; i < normals.size(); ++i)
    x.push_back(normals[i] * std::ldexp(1.0, static_cast<int>(i % 60) - 45));
  if (!positive) return x;
  std::vector<double> y;
  for (const double v : x)
    if (v != 0) y.push_back(std::fabs(v));
  return y;
}

template <typename T>
bool same(T a, T b) {
  return std::signbit(a) == std::signbit(b) && a == b;
}

}  // namespace

TEST_CASE("det: array functions give the bits of the functions on every instruction set") {
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    for (const Case& c : cases) {
      const det::ArrayFunction& array = det::array_kernels_of(isa).*c.array;
      const std::vector<double> x = inputs(c.positive);
      std::vector<double> y(x.size());
      array.doubles(x.data(), y.data(), static_cast<long>(x.size()));
      CAPTURE(c.name);
      for (std::size_t i = 0; i < x.size(); ++i) {
        CAPTURE(x[i]);
        REQUIRE(same(y[i], c.scalar(x[i])));
      }
      std::vector<float> narrow;
      for (const double v : x)
        if (std::fabs(v) < 1e30 && static_cast<float>(v) != 0)
          narrow.push_back(static_cast<float>(v));
      std::vector<float> rounded(narrow.size());
      std::vector<double> widened(narrow.size());
      array.floats(narrow.data(), rounded.data(), static_cast<long>(narrow.size()));
      array.widened(narrow.data(), widened.data(), static_cast<long>(narrow.size()));
      for (std::size_t i = 0; i < narrow.size(); ++i) {
        const double expected = c.scalar(static_cast<double>(narrow[i]));
        REQUIRE(same(widened[i], expected));
        REQUIRE(same(rounded[i], static_cast<float>(expected)));
      }
    }
  }
}

TEST_CASE("det: arrays of any length are filled to their end and no further") {
  for (std::size_t n = 0; n < 40; ++n) {
    const std::vector<float> x = random_values<float>(801, n);
    std::vector<double> p(n + 1, 7.0);
    det::sigmoid(x, std::span(p).first(n));
    for (std::size_t i = 0; i < n; ++i) CHECK(p[i] == det_sigmoid(static_cast<double>(x[i])));
    CHECK(p[n] == 7.0);
    std::vector<float> y = x;
    det::tanh(y, y);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(y[i] == static_cast<float>(det_tanh(static_cast<double>(x[i]))));
  }
}

TEST_CASE("det: ratios of the beta-binomial have the same bits on every instruction set") {
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    for (const long trials : {1L, 2L, 7L, 8L, 9L, 255L})
      for (const double alpha : {0x1p-10, 0.3, 17.0}) {
        const auto n = static_cast<double>(trials);
        const double beta = 1.7 / alpha;
        std::vector<double> ratios(static_cast<std::size_t>(trials) + 1, 7.0);
        det::array_kernels_of(isa).beta_binomial_ratios(alpha, beta, ratios.data(), trials);
        for (std::size_t i = 0; i + 1 < ratios.size(); ++i) {
          const auto k = static_cast<double>(i);
          CHECK(ratios[i] == ((n - k) * (k + alpha)) / ((k + 1.0) * (n - k - 1.0 + beta)));
        }
        CHECK(ratios.back() == 7.0);
      }
  }
}

}  // namespace logpx::arrays_test
