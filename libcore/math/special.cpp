#include "libcore/math/special.hpp"

#include <cmath>

namespace logpx {

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double digamma(double x) {
  double sum = 0;
  for (; x < 6; x += 1) sum -= 1 / x;
  const double r = 1 / (x * x);
  // Bernoulli numbers B_2k / 2k: 1/12, -1/120, 1/252, -1/240, 1/132, -691/32760, 1/12, -3617/8160
  const double series =
      r *
      (1.0 / 12 -
       r * (1.0 / 120 -
            r * (1.0 / 252 -
                 r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760 -
                                                        r * (1.0 / 12 - r * 3617.0 / 8160)))))));
  return sum + std::log(x) - 0.5 / x - series;
}

double log_rising(double a, double k) {
  if (a < 1e4) return log_gamma(a + k) - log_gamma(a);
  // Difference of two Stirling series; the next term is below 1e-15 here.
  const double end = a + k;
  return (a - 0.5) * std::log1p(k / a) + k * (std::log(end) - 1) + (1 / end - 1 / a) / 12 -
         (1 / (end * end * end) - 1 / (a * a * a)) / 360;
}

}  // namespace logpx
