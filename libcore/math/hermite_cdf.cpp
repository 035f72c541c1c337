#include "libcore/math/hermite_cdf.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {
namespace {

// The residual of Newton's iteration, in u, that is left alone.
constexpr double small_residual = 1e-12;
constexpr double least_u = 1e-300, most_u = 1 - 0x1p-53;

double simpson(const double* g, double width) { return width / 6 * (g[0] + 4 * g[1] + g[2]); }

}  // namespace

HermiteCdf::HermiteCdf(std::span<const double> breaks, std::int64_t intervals)
    : ends_(breaks.begin(), breaks.end()), intervals_(intervals) {
  LOGPX_ASSERT(breaks.size() >= 2 && intervals >= 2 && intervals % 2 == 0);
  for (std::size_t s = 0; s + 1 < ends_.size(); ++s) {
    const double low = ends_[s], high = ends_[s + 1];
    LOGPX_ASSERT(low < high);
    points_.push_back(std::nextafter(low, high));
    for (std::int64_t i = 1; i < intervals; ++i)
      points_.push_back(low +
                        (high - low) * static_cast<double>(i) / static_cast<double>(intervals));
    points_.push_back(std::nextafter(high, low));
  }
  scaled_.resize(points_.size());
  cells_.reserve((ends_.size() - 1) * at(intervals / 2));
}

void HermiteCdf::rebuild(std::span<const double> log_g) {
  LOGPX_ASSERT(log_g.size() == points_.size());
  const double shift = *std::max_element(log_g.begin(), log_g.end());
  for (std::size_t i = 0; i < log_g.size(); ++i) scaled_[i] = log_g[i] - shift;
  vec::exp(scaled_, scaled_);
  const std::size_t segments = ends_.size() - 1, steps = at(intervals_);
  double total = 0;
  for (std::size_t s = 0; s < segments; ++s) {
    const double width = 2 * (ends_[s + 1] - ends_[s]) / static_cast<double>(intervals_);
    for (std::size_t i = 0; i < steps; i += 2)
      total += simpson(&scaled_[s * (steps + 1) + i], width);
  }
  if (!(total > 0 && std::isfinite(total)))
    fail(ErrorKind::numeric, "density",
         "has no finite mass between " + four_digits(ends_.front()) + " and " +
             four_digits(ends_.back()));
  total_ = total;
  log_total_ = shift + std::log(total);

  cells_.clear();
  double sum = 0;
  for (std::size_t s = 0; s < segments; ++s) {
    const double width = 2 * (ends_[s + 1] - ends_[s]) / static_cast<double>(intervals_);
    for (std::size_t i = 0; i < steps; i += 2) {
      const std::size_t point = s * (steps + 1) + i;
      const double mass = simpson(&scaled_[point], width) / total;
      if (sum + mass > sum) add_cell(sum, mass, point, &scaled_[point]);
      sum += mass;
    }
  }
  for (std::size_t j = 0; j < cells_.size(); ++j)
    cells_[j].upper = j + 1 < cells_.size() ? cells_[j + 1].below : 1;
  guide_.rebuild(cells_.size(), [this](std::size_t j) { return upper(j); });
}

// The cell between points first_point and first_point + 2, where the density is g[0] .. g[2].
void HermiteCdf::add_cell(double below, double mass, std::size_t first_point, const double* g) {
  const std::size_t steps = at(intervals_), segment = first_point / (steps + 1);
  const std::size_t i = first_point % (steps + 1);
  const double low = i == 0 ? ends_[segment] : points_[first_point];
  const double high = i + 2 == steps ? ends_[segment + 1] : points_[first_point + 2];
  const double mean = (g[0] + 4 * g[1] + g[2]) / 6;
  double first = g[0] / mean, last = g[2] / mean;  // slopes of F in the unit square
  if (const double square = first * first + last * last; square > 9) {
    const double shrink = 3 / std::sqrt(square);
    first *= shrink;
    last *= shrink;
  }
  Cell cell{.below = below,
            .upper = 1,
            .low = low,
            .width = high - low,
            .mass = mass,
            .a = first,
            .b = 3 - 2 * first - last,
            .c = first + last - 2,
            .guess = {}};
  const double rise = std::min(1 / first, 3.0), end = std::min(1 / last, 3.0);
  cell.guess[0] = rise;
  cell.guess[1] = 3 - 2 * rise - end;
  cell.guess[2] = rise + end - 2;
  cells_.push_back(cell);
}

HermiteCdf::Place HermiteCdf::place_of_u(double u) const {
  const Cell& cell = cells_[guide_.find(u, [this](std::size_t j) { return upper(j); })];
  const double r = std::min((u - cell.below) / cell.mass, 1.0);
  const auto residual = [&](double t) { return t * (cell.a + t * (cell.b + t * cell.c)) - r; };
  double t = r * (cell.guess[0] + r * (cell.guess[1] + r * cell.guess[2]));
  for (int step = 0; step < 2; ++step) {
    const double rise = cell.a + t * (2 * cell.b + t * 3 * cell.c);
    t -= residual(t) / rise;
  }
  if (t >= 0 && t <= 1 && std::fabs(residual(t)) * cell.mass <= small_residual) return {&cell, t};
  double low = 0, high = 1;
  while (high - low > 1e-16) {
    t = low / 2 + high / 2;
    if (t <= low || t >= high) break;
    (residual(t) < 0 ? low : high) = t;
  }
  return {&cell, high};
}

double HermiteCdf::quantile(double u) const {
  if (!(u > 0)) return low();
  if (u >= 1) return high();
  const Place place = place_of_u(u);
  return place.cell->low + place.t * place.cell->width;
}

void HermiteCdf::quantiles(std::span<const double> u, std::span<double> z) const {
  LOGPX_ASSERT(u.size() == z.size());
  for (std::size_t i = 0; i < u.size(); ++i) z[i] = quantile(u[i]);
}

void HermiteCdf::quantiles(std::span<const double> u, std::span<double> z,
                           std::span<double> slopes) const {
  LOGPX_ASSERT(u.size() == z.size() && u.size() == slopes.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const Place place = place_of_u(std::clamp(u[i], least_u, most_u));
    z[i] = place.cell->low + place.t * place.cell->width;
    slopes[i] = place.slope();
  }
}

void HermiteCdf::point_densities(std::span<double> p) const {
  LOGPX_ASSERT(p.size() == scaled_.size());
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = scaled_[i] / total_;
}

double HermiteCdf::cell_width(std::size_t cell) const {
  const std::size_t segment = cell / at(intervals_ / 2);
  return 2 * (ends_[segment + 1] - ends_[segment]) / static_cast<double>(intervals_);
}

HermiteCdf::CellPart HermiteCdf::part_before(double z) const {
  const auto above = std::upper_bound(ends_.begin() + 1, ends_.end() - 1, z);
  const auto segment = static_cast<std::size_t>(above - ends_.begin()) - 1;
  const std::size_t each = at(intervals_ / 2);
  const double width = cell_width(segment * each);
  const double place = std::max((z - ends_[segment]) / width, 0.0);
  const std::size_t inside = std::min(static_cast<std::size_t>(place), each - 1);
  const double t = std::min(place - static_cast<double>(inside), 1.0);
  const double whole = width / 6 * t * t * (3 - 2 * t);  // Simpson's, risen so far
  return {segment * each + inside,
          {whole + width * t * (1 - t) * (1 - t), 4 * whole, whole - width * t * t * (1 - t)}};
}

const HermiteCdf::Cell& HermiteCdf::cell_at(double z) const {
  const auto above = std::upper_bound(cells_.begin(), cells_.end(), z,
                                      [](double x, const Cell& cell) { return x < cell.low; });
  return above == cells_.begin() ? cells_.front() : *(above - 1);
}

double HermiteCdf::cdf(double z) const {
  if (!(z > low())) return 0;
  if (!(z < high())) return 1;
  const Cell& cell = cell_at(z);
  const double t = std::min((z - cell.low) / cell.width, 1.0);
  return std::min(cell.below + cell.mass * t * (cell.a + t * (cell.b + t * cell.c)), cell.upper);
}

double HermiteCdf::density(double z) const {
  if (!(z >= low() && z <= high())) return 0;
  const Cell& cell = cell_at(z);
  const double t = (z - cell.low) / cell.width;
  if (t > 1) return 0;  // between cells
  return cell.mass / cell.width * (cell.a + t * (2 * cell.b + t * 3 * cell.c));
}

double HermiteCdf::slope(double u) const {
  return place_of_u(std::clamp(u, least_u, most_u)).slope();
}

}  // namespace logpx
