// The standard normal distribution between two ends, which may be infinite, far out in a tail, or
// close together.
#pragma once

namespace logpx {

// The logarithm of its density: -z^2/2 - ln(2 pi)/2.
[[nodiscard]] double log_normal_density(double z);

struct NormalRange {
  double log_mass = 0;           // ln (Phi(high) - Phi(low))
  double mean = 0, square = 1;   // E z, E z^2 in the range
  double p_low = 0, p_high = 0;  // densities at the ends, in the range
};
[[nodiscard]] NormalRange normal_range(double low, double high);

// The number of the range below which this share of it lies.
[[nodiscard]] double normal_range_quantile(double low, double high, double share);

}  // namespace logpx
