#include "libcore/math/student.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {
namespace {

constexpr double smallest = 1e-300;

// The continued fraction of I_x(a, b), by Lentz's method; converges fast for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  constexpr int most_steps = 10'000;
  const auto away_from_zero = [](double value) {
    return std::fabs(value) < smallest ? smallest : value;
  };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), sum = d;
  for (int m = 1; m <= most_steps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    sum *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    const double factor = d * c;
    sum *= factor;
    if (std::fabs(factor - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return sum;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  LOGPX_ASSERT(a > 0 && b > 0 && x >= 0 && x <= 1);
  if (x == 0 || x == 1) return x;
  const double front = std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta(a, b));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_cdf(double t, double freedom) {
  LOGPX_ASSERT(freedom > 0);
  if (t == 0) return 0.5;
  const double tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
  return t < 0 ? tail : 1 - tail;
}

double student_quantile(double p, double freedom) {
  LOGPX_ASSERT(p > 0 && p < 1 && freedom > 0);
  if (p == 0.5) return 0;
  // In the lower tail, where the distribution function loses no digits.
  const double tail = std::min(p, 1 - p);
  double low = -1, high = 0;
  while (student_cdf(low, freedom) > tail) low *= 2;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (student_cdf(middle, freedom) > tail ? high : low) = middle;
  }
  return p < 0.5 ? low : -low;
}

}  // namespace logpx
