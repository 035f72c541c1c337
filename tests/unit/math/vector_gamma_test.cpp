// ln Gamma, its slope, and what both rise by, over arrays.
#include "libcore/math/special.hpp"
#include "libcore/math/vector_kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace logpx::vector_gamma_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<const vec::VectorKernels*> tables() {
  std::vector<const vec::VectorKernels*> all = {&vec::plain_kernels};
  if (&vec::active_kernels() != all[0]) all.push_back(&vec::active_kernels());
  return all;
}

}  // namespace

TEST_CASE("vector gamma: lgamma of doubles is exact to rounding, and infinite at both ends") {
  std::vector<double> x = {1, 2, 1.4616321449683623};
  for (double v = 1e-300; v < 1e300; v *= 1.7) x.push_back(v);
  for (double v = 0.01; v < 20; v += 0.013) x.push_back(v);
  for (const vec::VectorKernels* table : tables()) {
    CAPTURE(std::string(table->name));
    std::vector<double> y(x.size());
    table->doubles.lgamma(x.data(), y.data(), std::ssize(x));
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      int sign = 0;
      const long double exact = lgammal_r(x[i], &sign);
      worst = std::max(worst, static_cast<double>(fabsl(y[i] - exact) / (1 + fabsl(exact))));
    }
    CHECK(worst < 4e-15);
    std::vector<double> ends = {0, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
    table->doubles.lgamma(ends.data(), ends.data(), 3);
    CHECK(std::isinf(ends[0]));
    CHECK(std::isinf(ends[1]));
    CHECK(std::isnan(ends[2]));
  }
}

TEST_CASE("vector gamma: digamma is exact to rounding over its zero, its pole and its tail") {
  std::vector<double> x = {1, 2, 1.4616321449683623, 5.999999999, 6};
  for (double v = 1e-12; v < 1e300; v *= 1.7) x.push_back(v);
  for (double v = 0.01; v < 20; v += 0.013) x.push_back(v);
  const std::vector<float> small(x.begin(), x.begin() + 5);
  for (const vec::VectorKernels* table : tables()) {
    CAPTURE(std::string(table->name));
    std::vector<double> y(x.size());
    table->doubles.digamma(x.data(), y.data(), std::ssize(x));
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      worst = std::max(worst, std::fabs(y[i] - digamma(x[i])) / (1 + std::fabs(digamma(x[i]))));
    CHECK(worst < 4e-15);
    std::vector<float> floats(small.size());
    table->floats.digamma(small.data(), floats.data(), std::ssize(small));
    for (std::size_t i = 0; i < small.size(); ++i)
      CHECK(std::fabs(floats[i] - digamma(double{small[i]})) < 2e-6);
    std::vector<double> ends = {0, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
    table->doubles.digamma(ends.data(), ends.data(), 3);
    CHECK(!std::isfinite(ends[0]));
    CHECK(ends[1] == infinity);
    CHECK(std::isnan(ends[2]));
  }
}

TEST_CASE("vector gamma: what ln Gamma and its slope rise by is exact, also far out") {
  std::vector<double> a, k;
  for (const double rise : {0.0, 1.0, 2.0, 7.0, 30.0, 255.0})
    for (double base = 1e-8; base < 1e12; base *= 1.37) a.push_back(base), k.push_back(rise);
  for (const vec::VectorKernels* table : tables()) {
    CAPTURE(std::string(table->name));
    std::vector<double> values(a.size()), slopes(a.size());
    table->log_rising(a.data(), k.data(), values.data(), std::ssize(a));
    table->digamma_rising(a.data(), k.data(), slopes.data(), std::ssize(a));
    double worst = 0, worst_slope = 0;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      long double value = 0, slope = 0;  // log a (a + 1) ... (a + k - 1)
      for (long double j = 0; j < k[i]; ++j) value += logl(a[i] + j), slope += 1 / (a[i] + j);
      const auto off = [](double x, long double exact) {
        return static_cast<double>(fabsl(x - exact) / (1 + fabsl(exact)));
      };
      worst = std::max(worst, off(values[i], value));
      worst_slope = std::max(worst_slope, off(slopes[i] * a[i], slope * a[i]));
      double alone = 0;
      table->log_rising(&a[i], &k[i], &alone, 1);
      moved += std::bit_cast<std::uint64_t>(alone) != std::bit_cast<std::uint64_t>(values[i]);
      table->digamma_rising(&a[i], &k[i], &alone, 1);
      moved += std::bit_cast<std::uint64_t>(alone) != std::bit_cast<std::uint64_t>(slopes[i]);
    }
    // The plain one takes differences up to 1e4, as what repeats on every machine does.
    CHECK(worst < (table == &vec::plain_kernels ? 1e-12 : 1e-14));
    CHECK(worst_slope < 1e-11);
    CHECK(moved == 0);
  }
}

}  // namespace logpx::vector_gamma_test
