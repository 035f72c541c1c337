// The composed functions of vector_math.hpp for one double.
#pragma once

#include <cmath>

namespace logpx::vec {

inline double sigmoid_of(double x) {
  const double e = std::exp(-std::fabs(x));
  return (x >= 0 ? 1 : e) / (1 + e);
}
inline double softplus_of(double x) {
  return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x)));
}
inline double log_sigmoid_of(double x) { return -softplus_of(-x); }

}  // namespace logpx::vec
