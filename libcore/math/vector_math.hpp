// Elementary functions over arrays, for training and evaluation: SLEEF where the build has it, else
// loops over libm. The same bits for every length, alignment and position. `out` may be `x`.
// [math/README 3.4]
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace logpx::vec {

#define LOGPX_VECTOR_FUNCTION(name)                          \
  void name(std::span<const float> x, std::span<float> out); \
  void name(std::span<const double> x, std::span<double> out)
LOGPX_VECTOR_FUNCTION(exp);
LOGPX_VECTOR_FUNCTION(expm1);
LOGPX_VECTOR_FUNCTION(log);
LOGPX_VECTOR_FUNCTION(log1p);
LOGPX_VECTOR_FUNCTION(tanh);
LOGPX_VECTOR_FUNCTION(sin);
LOGPX_VECTOR_FUNCTION(cos);
LOGPX_VECTOR_FUNCTION(erf);
LOGPX_VECTOR_FUNCTION(lgamma);
LOGPX_VECTOR_FUNCTION(digamma);  // x > 0
LOGPX_VECTOR_FUNCTION(sigmoid);  // sign-split forms
LOGPX_VECTOR_FUNCTION(softplus);
LOGPX_VECTOR_FUNCTION(log_sigmoid);
#undef LOGPX_VECTOR_FUNCTION
// ln Gamma(a + k) - ln Gamma(a) and its slope by a, for a > 0 and k >= 0, without loss where a is
// large; 0 where k is.
void log_rising(std::span<const double> a, std::span<const double> k, std::span<double> out);
void digamma_rising(std::span<const double> a, std::span<const double> k, std::span<double> out);

[[nodiscard]] std::string backend();  // "sleef avx512", "libm": part of the numerics fingerprint

}  // namespace logpx::vec
