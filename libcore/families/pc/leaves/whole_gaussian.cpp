#include "libcore/det/functions.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx::pc {
namespace {

constexpr double smallest = 0.25;         // deviation: a narrower gaussian is a single number
constexpr double of_rounding = 1.0 / 12;  // variance of what is rounded away

// The interval of a number, in deviations from the mean, and the logarithm of its mass. Intervals
// above the mean are turned over, as masses are small at the lower end without cancellation.
struct Interval {
  Interval(std::span<const double> q, double k) {
    low = (k - 0.5 - q[0]) / q[1], high = (k + 0.5 - q[0]) / q[1];
    if (turned = low > 0; turned) std::swap(low, high), low = -low, high = -high;
    const double above = log_ndtr(high), below = log_ndtr(low);
    log_mass = above + det_log(-det_expm1(below - above));
  }
  double low = 0, high = 0, log_mass = 0;
  bool turned = false;
};

double log_density(double z) {
  static const double of_unit = det_log(2 * std::numbers::pi) / 2;
  return -z * z / 2 - of_unit;
}

}  // namespace

void WholeGaussian::log_p(std::span<const double> q, std::span<const double> values,
                          std::span<double> nats) const {
  for (std::size_t i = 0; i < values.size(); ++i) nats[i] = Interval(q, values[i]).log_mass;
}

void WholeGaussian::add_statistics(std::span<const double> q, double value, double weight,
                                   std::span<double> sums) const {
  double mean = value, variance = of_rounding;
  if (!q.empty()) {
    const Interval in(q, value);
    const double low = det_exp(log_density(in.low) - in.log_mass),
                 high = det_exp(log_density(in.high) - in.log_mass);
    const double z = low - high, square = 1 + in.low * low - in.high * high;
    mean = std::clamp(q[0] + q[1] * (in.turned ? -z : z), value - 0.5, value + 0.5);
    variance = std::clamp(q[1] * q[1] * (square - z * z), 0.0, 0.25);
  }
  sums[0] += weight;
  sums[1] += weight * mean;
  sums[2] += weight * (mean * mean + variance);
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
