#include "libcore/det/functions.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace logpx::pc {
namespace {

constexpr double smallest = 0.25;         // deviation: a narrower gaussian is a single number
constexpr double of_rounding = 1.0 / 12;  // variance of what is rounded away

double log_density(double z) {
  static const double of_unit = det_log(2 * std::numbers::pi) / 2;
  return -z * z / 2 - of_unit;
}

// What a node says of a number: the logarithm of its mass, and what is expected behind it.
struct Whole {
  double log_mass = 0, mean = 0, variance = 0;
};

// Near the middle of a wide gaussian, with z the number and h the interval in deviations, the mass
// is h times the density times d, where less than 10^-7 is left out:
//   d = 1 + h^2 (z^2 - 1) / 24 + h^4 (z^4 - 6 z^2 + 3) / 1920
// Derivatives of its logarithm by the mean give the moments.
constexpr double wide = 8, near_middle = 4;  // deviations

Whole of_series(std::span<const double> q, double k) {
  const double h = 1 / q[1], z = (k - q[0]) * h, a = h * h / 24, b = h * h * h * h / 1920;
  const double z2 = z * z, d = 1 + a * (z2 - 1) + b * (z2 * z2 - 6 * z2 + 3);
  const double slope = (2 * a * z + b * (4 * z2 * z - 12 * z)) / d,
               bend = (2 * a + b * (12 * z2 - 12)) / d;
  return {.log_mass = log_density(z) + det_log(h * d),
          .mean = k - q[1] * slope,
          .variance = q[1] * q[1] * (bend - slope * slope)};
}

// Intervals above the mean are turned over, as masses are small at the lower end without
// cancellation.
Whole of_ends(std::span<const double> q, double k) {
  double low = (k - 0.5 - q[0]) / q[1], high = (k + 0.5 - q[0]) / q[1];
  const bool turned = low > 0;
  if (turned) std::swap(low, high), low = -low, high = -high;
  const double above = log_ndtr(high), below = log_ndtr(low);
  Whole whole{.log_mass = above + det_log(-det_expm1(below - above))};
  const double p_low = det_exp(log_density(low) - whole.log_mass),
               p_high = det_exp(log_density(high) - whole.log_mass);
  const double z = p_low - p_high, square = 1 + low * p_low - high * p_high;
  whole.mean = std::clamp(q[0] + q[1] * (turned ? -z : z), k - 0.5, k + 0.5);
  whole.variance = std::clamp(q[1] * q[1] * (square - z * z), 0.0, 0.25);
  return whole;
}

Whole whole_of(std::span<const double> q, double k) {
  const bool series = q[1] >= wide && std::abs(k - q[0]) <= near_middle * q[1];
  return series ? of_series(q, k) : of_ends(q, k);
}

}  // namespace

void WholeGaussian::log_p(std::span<const double> q, std::span<const double> values,
                          std::span<double> nats) const {
  for (std::size_t i = 0; i < values.size(); ++i) nats[i] = whole_of(q, values[i]).log_mass;
}

void WholeGaussian::add_statistics(std::span<const double> q, double value, double weight,
                                   std::span<double> sums) const {
  const Whole whole = q.empty() ? Whole{.mean = value, .variance = of_rounding} : whole_of(q, value);
  sums[0] += weight;
  sums[1] += weight * whole.mean;
  sums[2] += weight * (whole.mean * whole.mean + whole.variance);
}

void WholeGaussian::maximise(std::span<const double> sums, const LeafData& data,
                             std::span<double> q) const {
  q[0] = sums[1] / sums[0];
  const double variance = std::max(sums[2] / sums[0] - q[0] * q[0], 0.0);
  q[1] = std::max({std::sqrt(variance), smallest, least_deviation * data.deviation});
}

void WholeGaussian::draw(const LeafData& data, double normal, std::span<double> q) const {
  q[0] = data.mean + data.deviation * normal;
  q[1] = std::max(data.deviation, smallest);
}

double WholeGaussian::mode(std::span<const double> q) const { return std::nearbyint(q[0]); }

double WholeGaussian::deviation(std::span<const double> q) const {
  return std::sqrt(q[1] * q[1] + of_rounding);
}

double WholeGaussian::value_at(std::span<const double> q, double deviations) const {
  return std::nearbyint(q[0] + q[1] * deviations);
}

void WholeGaussian::temper(double temperature, std::span<double> q) const {
  q[1] *= std::sqrt(temperature);
}

std::string WholeGaussian::fault(std::span<const double> q) const {
  if (!std::isfinite(q[0])) return "holds a mean that is not finite";
  return std::isfinite(q[1]) && q[1] > 0 ? "" : "holds a deviation that is not above 0";
}

}  // namespace logpx::pc
