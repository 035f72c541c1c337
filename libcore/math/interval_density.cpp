#include "libcore/math/interval_density.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

struct Knots {
  std::vector<double> z, density, slope;

  // The left knot of the interval that holds x.
  [[nodiscard]] std::size_t before(double x) const {
    const auto above = std::upper_bound(z.begin(), z.end() - 1, x);
    return above == z.begin() ? 0 : static_cast<std::size_t>(above - z.begin()) - 1;
  }
  [[nodiscard]] double at(double x) const {
    const std::size_t i = std::min(before(x), z.size() - 2);
    const double width = z[i + 1] - z[i], t = std::clamp((x - z[i]) / width, 0.0, 1.0);
    const double rise = density[i + 1] - density[i];
    if (slope.empty()) return density[i] + t * rise;
    const double first = width * slope[i], last = width * slope[i + 1];
    return density[i] +
           t * (first + t * ((3 * rise - 2 * first - last) + t * (first + last - 2 * rise)));
  }
};

// Weighted harmonic means of neighbouring secants, 0 at extrema; at the ends a parabola, held
// within what keeps the curve monotone. [Fritsch and Butland 1984]
double end_slope(double near_width, double far_width, double near_rise, double far_rise) {
  const double slope =
      ((2 * near_width + far_width) * near_rise - near_width * far_rise) / (near_width + far_width);
  if (slope * near_rise <= 0) return 0;
  return near_rise * far_rise < 0 && std::fabs(slope) > 3 * std::fabs(near_rise) ? 3 * near_rise
                                                                                 : slope;
}
std::vector<double> monotone_slopes(const std::vector<double>& z, const std::vector<double>& y) {
  const std::size_t n = z.size();
  std::vector<double> width(n - 1), secant(n - 1), slope(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    width[i] = z[i + 1] - z[i];
    secant[i] = (y[i + 1] - y[i]) / width[i];
  }
  if (n == 2) return {secant[0], secant[0]};
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (secant[i - 1] * secant[i] <= 0) continue;
    const double left = 2 * width[i] + width[i - 1], right = width[i] + 2 * width[i - 1];
    slope[i] = (left + right) / (left / secant[i - 1] + right / secant[i]);
  }
  slope[0] = end_slope(width[0], width[1], secant[0], secant[1]);
  slope[n - 1] = end_slope(width[n - 2], width[n - 3], secant[n - 2], secant[n - 3]);
  return slope;
}

void check_table(std::span<const double> z, std::span<const double> density) {
  for (std::size_t i = 0; i < z.size(); ++i)
    LOGPX_ASSERT(std::isfinite(z[i]) && (i == 0 || z[i - 1] < z[i]));
  for (const double value : density) LOGPX_ASSERT(std::isfinite(value) && value >= 0);
}

}  // namespace

IntervalDensity tabulated_density(std::span<const double> z, std::span<const double> density,
                                  TableCurve curve) {
  LOGPX_ASSERT(z.size() >= 2 && z.size() == density.size());
  check_table(z, density);
  Knots knots{{z.begin(), z.end()}, {density.begin(), density.end()}, {}};
  if (curve == TableCurve::cubic) knots.slope = monotone_slopes(knots.z, knots.density);
  std::vector<double> breaks = knots.z;
  return {[knots = std::move(knots)](std::span<const double> x, std::span<double> log_g) {
            for (std::size_t i = 0; i < x.size(); ++i)
              log_g[i] = std::log(std::max(knots.at(x[i]), 0.0));
          },
          std::move(breaks)};
}

IntervalDensity histogram_density(std::span<const double> edges, std::span<const double> counts) {
  LOGPX_ASSERT(!counts.empty() && edges.size() == counts.size() + 1);
  check_table(edges, counts);
  Knots knots{{edges.begin(), edges.end()}, {}, {}};
  for (std::size_t i = 0; i < counts.size(); ++i)
    knots.density.push_back(std::log(counts[i] / (edges[i + 1] - edges[i])));
  std::vector<double> breaks = knots.z;
  return {[knots = std::move(knots)](std::span<const double> x, std::span<double> log_g) {
            for (std::size_t i = 0; i < x.size(); ++i)
              log_g[i] = knots.density[std::min(knots.before(x[i]), knots.density.size() - 1)];
          },
          std::move(breaks)};
}

}  // namespace logpx
