#include "libcore/eval/density_curve.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::int64_t most_steps = 6;  // to either side
constexpr double step_deviations = 0.5;

}  // namespace

DensityCurve density_curve(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
                           std::int64_t place) {
  DensityCurve curve;
  Evidence others = rows.repeat(i, 1);
  others.set(0, place, -1);
  const ValueTables tables = queries.tables(others);
  if (!std::isfinite(tables.nats[0])) return curve;
  const auto& [mean, square, there] = tables.reals[at(place)];
  const double deviation = std::sqrt(std::max(0.0, square - mean * mean));
  Evidence points = others.repeat(0, 2 * most_steps + 1);
  for (std::int64_t k = 0; k < points.count(); ++k) {
    const double steps = static_cast<double>(k - most_steps) * step_deviations;
    points.set_real(k, place, mean + steps * deviation);
    curve.values.push_back(static_cast<double>(points.reals[at(k * points.width + place)]));
  }
  for (const double nats : queries.log_p(points))
    curve.density.push_back(std::exp(nats - tables.nats[0]));
  return curve;
}

}  // namespace logpx
