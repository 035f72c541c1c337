// Student's t distribution: quantiles for intervals of fitted lines.
#pragma once

namespace logpx {

// I_x(a, b), the regularised incomplete beta function, for a, b > 0 and x in [0,1].
[[nodiscard]] double incomplete_beta(double a, double b, double x);

// P(T <= t) with `freedom` > 0 degrees of freedom.
[[nodiscard]] double student_cdf(double t, double freedom);
// The t with P(T <= t) = p, for p in (0,1).
[[nodiscard]] double student_quantile(double p, double freedom);

}  // namespace logpx
