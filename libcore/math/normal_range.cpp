#include "libcore/math/normal_range.hpp"

#include "libcore/det/functions.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace logpx {
namespace {

// An end at infinity adds nothing.
double times(double end, double p) { return p > 0 ? end * p : 0; }

// Around the middle m of a short range of length h, where less than 10^-12 is left out:
//   mass = h density(m) (1 + h^2 (m^2 - 1) / 24),   mean = m - m h^2 / 12,   variance = h^2 / 12
constexpr double is_short = 1e-3;  // h (1 + |m|)

NormalRange short_range(double low, double high) {
  const double h = high - low, m = low + h / 2, h2 = h * h;
  const double log_mass = log_normal_density(m) + det_log(h) + det_log1p(h2 * (m * m - 1) / 24);
  const double mean = m - m * h2 / 12;
  return {.log_mass = log_mass,
          .mean = mean,
          .square = mean * mean + h2 / 12,
          .p_low = det_exp(log_normal_density(low) - log_mass),
          .p_high = det_exp(log_normal_density(high) - log_mass)};
}

}  // namespace

double log_normal_density(double z) {
  static const double of_unit = det_log(2 * std::numbers::pi) / 2;
  return -z * z / 2 - of_unit;
}

// Ranges above 0 are turned over, as masses are small at the lower end without cancellation.
NormalRange normal_range(double low, double high) {
  if ((high - low) * (1 + std::abs(low)) < is_short) return short_range(low, high);
  const bool turned = low > 0;
  if (turned) std::swap(low, high), low = -low, high = -high;
  const double above = log_ndtr(high), below = log_ndtr(low);
  NormalRange range{.log_mass = above + det_log(-det_expm1(below - above))};
  range.p_low = det_exp(log_normal_density(low) - range.log_mass);
  range.p_high = det_exp(log_normal_density(high) - range.log_mass);
  range.mean = range.p_low - range.p_high;
  range.square = 1 + times(low, range.p_low) - times(high, range.p_high);
  if (!turned) return range;
  range.mean = -range.mean;
  std::swap(range.p_low, range.p_high);
  return range;
}

// Halves the range until its ends are neighbours.
double normal_range_quantile(double low, double high, double share) {
  constexpr double farthest = 40;  // beyond that nothing is left
  const double target = normal_range(low, high).log_mass + det_log(share);
  double a = std::max(low, std::min(high, 0.0) - farthest),
         b = std::min(high, std::max(low, 0.0) + farthest);
  for (int step = 0; step < 100; ++step) {
    const double middle = a + (b - a) / 2;
    if (!(a < middle && middle < b)) break;
    (normal_range(low, middle).log_mass < target ? a : b) = middle;
  }
  return a + (b - a) / 2;
}

}  // namespace logpx
