#include "libcore/base/index.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"
#include "libcore/math/normal_range.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::pc {
namespace {

constexpr double smallest = 0.25;         // deviation: a narrower gaussian is a single number
constexpr double of_rounding = 1.0 / 12;  // variance of what is rounded away

// Near the middle of a wide gaussian, with z the number and h the interval in deviations, the mass
// is h times the density times d, where less than 10^-7 is left out, He Hermite's polynomials:
//   d = 1 + h^2 He_2(z) / 24 + h^4 He_4(z) / 1920 + h^6 He_6(z) / 322560 + h^8 He_8(z) / 92897280
// Derivatives of its logarithm by the mean give the moments.
struct Series {
  double d = 1, slope = 0, bend = 0;  // d' / d and d'' / d
};

constexpr double widest_step = 0.4, farthest_step = 1.6;  // h, and h |z|

bool is_series(std::span<const double> q, double k) {
  return widest_step * q[1] >= 1 && std::abs(k - q[0]) <= farthest_step * q[1] * q[1];
}

Series series_of(std::span<const double> q, double k) {
  const double h = 1 / q[1], z = (k - q[0]) * h, z2 = z * z, h2 = h * h;
  const double a = h2 / 24, b = h2 * h2 / 1920, c = h2 * h2 * h2 / 322560,
               e = h2 * h2 * h2 * h2 / 92897280;
  const double he2 = z2 - 1, he3 = z * (z2 - 3), he4 = z * he3 - 3 * he2, he5 = z * he4 - 4 * he3,
               he6 = z * he5 - 5 * he4, he7 = z * he6 - 6 * he5, he8 = z * he7 - 7 * he6;
  const double d = 1 + a * he2 + b * he4 + c * he6 + e * he8;
  return {.d = d,
          .slope = (2 * a * z + 4 * b * he3 + 6 * c * he5 + 8 * e * he7) / d,
          .bend = (2 * a + 12 * b * he2 + 30 * c * he4 + 56 * e * he6) / d};
}

// Intervals above the mean are turned over, as masses are small at the lower end without
// cancellation.
double log_mass_of_ends(std::span<const double> q, double k) {
  double low = (k - 0.5 - q[0]) / q[1], high = (k + 0.5 - q[0]) / q[1];
  if (low > 0) std::swap(low, high), low = -low, high = -high;
  const double above = log_ndtr(high), below = log_ndtr(low);
  return above + det_log(-det_expm1(below - above));
}

// What is expected behind a number.
struct Behind {
  double mean = 0, variance = of_rounding;
};

Behind behind(std::span<const double> q, double k) {
  if (is_series(q, k)) {
    const Series series = series_of(q, k);
    return {.mean = k - q[1] * series.slope,
            .variance = q[1] * q[1] * (series.bend - series.slope * series.slope)};
  }
  const NormalRange range = normal_range((k - 0.5 - q[0]) / q[1], (k + 0.5 - q[0]) / q[1]);
  return {
      .mean = std::clamp(q[0] + q[1] * range.mean, k - 0.5, k + 0.5),
      .variance = std::clamp(q[1] * q[1] * (range.square - range.mean * range.mean), 0.0, 0.25)};
}

}  // namespace

void WholeGaussian::log_p(std::span<const double> q, std::span<const double> values,
                          std::span<double> nats) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    nats[i] = is_series(q, values[i]) ? series_of(q, values[i]).d : 1;
  det::log(nats, nats);
  const double log_width = det_log(q[1]);
  for (std::size_t i = 0; i < values.size(); ++i)
    nats[i] = is_series(q, values[i])
                  ? nats[i] + log_normal_density((values[i] - q[0]) / q[1]) - log_width
                  : log_mass_of_ends(q, values[i]);
}

// Nothing of a weight below counts: the number itself will do.
constexpr double negligible = 1e-10;

void WholeGaussian::add_statistics(std::span<const double> q, double value, double weight,
                                   std::span<double> sums) const {
  const Behind is = q.empty() || weight < negligible ? Behind{.mean = value} : behind(q, value);
  sums[0] += weight;
  sums[1] += weight * is.mean;
  sums[2] += weight * (is.mean * is.mean + is.variance);
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
