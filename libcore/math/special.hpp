// Special functions in double.
#pragma once

#include <span>

namespace logpx {

// log sum_i e^x_i, max-shifted; -inf for an empty span or one of -inf alone.
[[nodiscard]] double log_sum_exp(std::span<const double> x);
[[nodiscard]] double log_sum_exp(std::span<const float> x);
[[nodiscard]] double log_add_exp(double a, double b);

// ln Phi(x), the normal distribution function, without loss in the lower tail.
[[nodiscard]] double log_ndtr(double x);

// Phi^-1(u), without loss in the lower tail; -inf at 0, +inf at 1, NaN outside.
[[nodiscard]] double normal_quantile(double u);

// The inverse of erf on (-1, 1); +-inf at +-1, NaN outside.
[[nodiscard]] double erfinv(double x);

// d/dx ln Gamma(x); NaN at 0 and the negative integers.
[[nodiscard]] double digamma(double x);

// ln Gamma(x), x > 0: the same bits on every machine.
[[nodiscard]] double repeatable_log_gamma(double x);
// ln Gamma(a + k) - ln Gamma(a) and its slope by a, for a > 0 and k >= 0: the same bits on every
// machine.
[[nodiscard]] double repeatable_log_rising(double a, double k);
[[nodiscard]] double repeatable_digamma_rising(double a, double k);
// ln |Gamma(x)|, without libm's global sign.
[[nodiscard]] double log_gamma(double x);

// ln B(a, b) for a, b > 0.
[[nodiscard]] double log_beta(double a, double b);

}  // namespace logpx
