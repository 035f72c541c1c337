#include "libcore/math/hermite_cdf.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {

HermiteCdf::HermiteCdf(std::span<const double> breaks, std::int64_t intervals)
    : grid_(breaks, intervals), scaled_(grid_.points().size()) {
  cells_.reserve(grid_.cells().size());
}

void HermiteCdf::rebuild(std::span<const double> log_g) {
  LOGPX_ASSERT(log_g.size() == scaled_.size());
  const double shift = *std::max_element(log_g.begin(), log_g.end());
  for (std::size_t i = 0; i < log_g.size(); ++i) scaled_[i] = log_g[i] - shift;
  vec::exp(scaled_, scaled_);
  const auto weight = [this](const HermiteGrid::CellPlace& cell) {
    const double* const g = &scaled_[cell.first_point];
    return cell.mass(g[0], g[1], g[2]);
  };
  double total = 0;
  for (const HermiteGrid::CellPlace& cell : grid_.cells()) total += weight(cell);
  if (!(total > 0 && std::isfinite(total)))
    fail(ErrorKind::numeric, "density",
         "has no finite mass between " + four_digits(grid_.breaks().front()) + " and " +
             four_digits(grid_.breaks().back()));
  log_total_ = shift + std::log(total);

  cells_.clear();
  double sum = 0;
  for (const HermiteGrid::CellPlace& cell : grid_.cells()) {
    const double mass = weight(cell) / total;
    if (sum + mass > sum) add_cell(sum, cell, total);
    sum += mass;
  }
  for (std::size_t j = 0; j < cells_.size(); ++j)
    cells_[j].upper = j + 1 < cells_.size() ? cells_[j + 1].below : 1;
  guide_.rebuild(cells_.size(), [this](std::size_t j) { return upper(j); });
}

void HermiteCdf::add_cell(double below, const HermiteGrid::CellPlace& place, double total) {
  const double* const g = &scaled_[place.first_point];
  cells_.push_back({HermiteCell(below, place, {g[0] / total, g[1] / total, g[2] / total})});
}

HermiteCdf::Place HermiteCdf::place_of_u(double u) const {
  const Cell& cell = cells_[guide_.find(u, [this](std::size_t j) { return upper(j); })];
  return {&cell, cell.place_of(u)};
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
  return cell.mass / cell.width * cell.rise_at(t);
}

double HermiteCdf::slope(double u) const {
  const Place place = place_of_u(std::clamp(u, 1e-300, 1 - 0x1p-53));
  const Cell& cell = *place.cell;
  return cell.slope_at(place.t);
}

}  // namespace logpx
