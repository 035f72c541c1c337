// Elementary functions that give the same bits on every machine: IEEE + - * / and sqrt in float64,
// no libm, no contraction into FMA. Whatever reaches the entropy coder, every random draw, and all
// built-in data go through these.   [det/README 5]
#pragma once

#include "libcore/base/parallel.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

// e^x; exactly 0 below -708, and x above 709 counts as 709, so the result is always finite.
[[nodiscard]] double det_exp(double x);

// ln x for finite x > 0, subnormal x included.
[[nodiscard]] double det_log(double x);

// e^x - 1 and ln(1 + x), x > -1, with all digits near 0.
[[nodiscard]] double det_expm1(double x);
[[nodiscard]] double det_log1p(double x);

[[nodiscard]] double det_tanh(double x);
[[nodiscard]] double det_sigmoid(double x);   // 1 / (1 + e^-x)
[[nodiscard]] double det_softplus(double x);  // ln(1 + e^x)

// Phi(x), the distribution function of the standard normal; relative error below 1e-15 in the lower
// tail down to x = -37, where exp leaves the normal numbers.
[[nodiscard]] double det_ndtr(double x);

struct SinCos {
  double sin, cos;
};
[[nodiscard]] SinCos det_sincos(double x);  // |x| < 2^19

// Phi^-1(i / 2^bits), 0 < i < 2^bits, by exactly 60 bisections of [-9, 0].
[[nodiscard]] double quantile(std::uint32_t i, int bits);

// Entry i is quantile(i, bits); entries 0 and 2^bits are -inf and +inf. Built at the first call for
// these bits (1 <= bits <= 16), then kept for the life of the process.
[[nodiscard]] const std::vector<double>& quantile_table(int bits, Workers& workers);

}  // namespace logpx
