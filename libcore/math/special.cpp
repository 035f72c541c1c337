#include "libcore/math/special.hpp"

#include "libcore/det/functions.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace logpx {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double half_log_two_pi = 0.91893853320467274178;
constexpr double stirling_from = 1e4;  // from here on differences of two series lose nothing

template <typename T>
double log_sum_exp_of(std::span<const T> x) {
  if (x.empty()) return -infinity;
  const double largest = *std::max_element(x.begin(), x.end());
  if (std::isinf(largest)) return largest;  // all -inf, or one +inf
  double sum = 0;
  const bool repeatable = RepeatableFunctions::on();
  for (const T value : x) {
    const double below = static_cast<double>(value) - largest;
    sum += repeatable ? det_exp(below) : std::exp(below);
  }
  return largest + (repeatable ? det_log(sum) : std::log(sum));
}

// ln Gamma(x) - ((x - 1/2) ln x - x + ln(2 pi)/2) for x >= 10
double stirling_correction(double x) {
  const double z = 1 / (x * x);
  return (1.0 / 12 -
          z * (1.0 / 360 -
               z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188 - z * (691.0 / 360360)))))) /
         x;
}

}  // namespace

double log_sum_exp(std::span<const double> x) { return log_sum_exp_of(x); }
double log_sum_exp(std::span<const float> x) { return log_sum_exp_of(x); }

double log_add_exp(double a, double b) {
  const double largest = std::max(a, b);
  if (std::isinf(largest)) return largest;
  return largest + std::log1p(std::exp(std::min(a, b) - largest));
}

double log_ndtr(double x) {
  if (x > -1) {
    const double upper = 0.5 * std::erfc(x / std::numbers::sqrt2);  // 1 - Phi(x)
    return std::log1p(-upper);
  }
  if (x > -20) return std::log(0.5 * std::erfc(-x / std::numbers::sqrt2));
  // Phi(x) = phi(x)/|x| (1 - 1/x^2 + 3/x^4 - 15/x^6 + ...): ten terms suffice below -20.
  const double z = 1 / (x * x);
  double term = 1, sum = 1;
  for (int j = 1; j <= 10; ++j) {
    term *= -(2 * j - 1) * z;
    sum += term;
  }
  return -0.5 * x * x - std::log(-x) - half_log_two_pi + std::log(sum);
}

double normal_quantile(double u) {
  if (!(u >= 0 && u <= 1)) return not_a_number;
  if (u == 0 || u == 1) return u == 0 ? -infinity : infinity;
  if (u > 0.5) return -normal_quantile(1 - u);  // 1 - u is exact
  if (u == 0.5) return 0;
  // Newton on ln Phi, which is concave: from the left, where e^(-y^2/2) / 2 = u is a bound, it
  // rises to the root without overshooting.
  const double target = std::log(u);
  double y = -std::sqrt(-2 * std::log(2 * u));
  for (int step = 0; step < 100; ++step) {
    const double log_cdf = log_ndtr(y);
    const double slope = std::exp(-0.5 * y * y - half_log_two_pi - log_cdf);
    const double next = y - (log_cdf - target) / slope;
    const bool done = std::fabs(next - y) <= 1e-16 * std::fabs(y);
    y = next;
    if (done) break;
  }
  return y;
}

double erfinv(double x) {
  if (!(std::fabs(x) <= 1)) return not_a_number;
  if (std::fabs(x) == 1) return std::copysign(infinity, x);
  if (x == 0) return x;
  // Newton on erf near 0, on log erfc in the tail, where that is nearly a parabola.
  const double a = std::fabs(x), tail = 1 - a;
  double y = a < 0.5 ? a * 0.5 * std::sqrt(std::numbers::pi) : std::sqrt(-std::log(tail));
  const double half_sqrt_pi = 0.5 * std::sqrt(std::numbers::pi);
  for (int step = 0; step < 100; ++step) {
    const double next =
        a < 0.5 ? y - (std::erf(y) - a) * half_sqrt_pi * std::exp(y * y)
                : y + std::log(std::erfc(y) / tail) * std::erfc(y) * half_sqrt_pi * std::exp(y * y);
    const bool done = std::fabs(next - y) <= 1e-16 * y;
    y = next;
    if (done) break;
  }
  return std::copysign(y, x);
}

double digamma(double x) {
  if (std::isnan(x) || x == -infinity || (x <= 0 && x == std::floor(x))) return not_a_number;
  if (x == infinity) return x;
  if (x < 0) {
    const double from_pole = x - std::round(x);
    const SinCos angle = det_sincos(std::numbers::pi * from_pole);
    return digamma(1 - x) - std::numbers::pi * angle.cos / angle.sin;
  }
  double sum = 0;
  for (; x < 10; ++x) sum -= 1 / x;  // where nine terms of the series are exact to rounding
  // ln x - 1/(2x) - sum_j B_2j / (2j x^2j)
  constexpr std::array coefficients = {1.0 / 12,   -1.0 / 120,     1.0 / 252,
                                       -1.0 / 240, 1.0 / 132,      -691.0 / 32760,
                                       1.0 / 12,   -3617.0 / 8160, 43867.0 / 14364};
  const double z = 1 / (x * x);
  double series = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) series = (series + *c) * z;
  return sum + det_log(x) - 0.5 / x - series;
}

double repeatable_log_gamma(double x) {
  if (!(x > 0)) return not_a_number;
  double product = 1;
  for (; x < 10; ++x) product *= x;
  return (x - 0.5) * det_log(x) - x + half_log_two_pi + stirling_correction(x) - det_log(product);
}

double repeatable_log_rising(double a, double k) {
  const double end = a + k;
  if (a < stirling_from) return repeatable_log_gamma(end) - repeatable_log_gamma(a);
  return (a - 0.5) * det_log1p(k / a) + k * (det_log(end) - 1) + (1 / end - 1 / a) / 12 -
         (1 / (end * end * end) - 1 / (a * a * a)) / 360;
}

double repeatable_digamma_rising(double a, double k) {
  if (a < stirling_from) return digamma(a + k) - digamma(a);
  const double end = 1 / (a + k), begin = 1 / a, step = k * end * begin;  // begin - end
  return det_log1p(k * begin) + step * (0.5 + (begin + end) / 12);
}

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double log_beta(double a, double b) {
  const double small = std::min(a, b), large = std::max(a, b);
  if (large < 10) return log_gamma(small) + log_gamma(large) - log_gamma(small + large);
  // log_gamma(large) - log_gamma(small + large) loses all digits: take Stirling's series of both.
  const double sum = small + large;
  const double difference = stirling_correction(large) - stirling_correction(sum) +
                            (large - 0.5) * std::log1p(-small / sum) - small * std::log(sum) +
                            small;
  return log_gamma(small) + difference;
}

}  // namespace logpx
