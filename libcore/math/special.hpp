// Functions beside the elementary ones, one value at a time, in double.
#pragma once

#include <cstdint>

namespace logpx {

// ln Gamma(x) for x > 0; unlike lgamma(3) it touches no global sign.
[[nodiscard]] double log_gamma(double x);

// d/dx ln Gamma(x) for x > 0: recurrence to 6, then the asymptotic series.   [spec/core.md 6]
[[nodiscard]] double digamma(double x);

// ln Gamma(a + k) - ln Gamma(a) for a > 0, k >= 0, without cancellation for large a.
[[nodiscard]] double log_rising(double a, double k);

}  // namespace logpx
