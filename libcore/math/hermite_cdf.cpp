#include "libcore/math/hermite_cdf.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/reductions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

struct Cubic {
  double a, b, c;
  explicit Cubic(const HermiteCell& cell)
      : a(cell.first), b(3 - 2 * cell.first - cell.last), c(cell.first + cell.last - 2) {}
  [[nodiscard]] double at(double t) const { return t * (a + t * (b + t * c)); }
  [[nodiscard]] double slope(double t) const { return a + t * (2 * b + t * (3 * c)); }
};

// The largest width with which no cell goes beyond its end, as a rounded sum could.
double width_within(double low, double high) {
  const double width = high - low;
  return low + width > high ? std::nextafter(width, 0.0) : width;
}

// For samples that Newton's iteration does not reach, since F hardly rises there.
double by_bisection(const HermiteCell& cell, double u) {
  const double share = std::min((u - cell.below) * cell.inverse_mass, 1.0);
  const Cubic f(cell);
  double low = 0, high = 1;
  while (high - low > 1e-16) {
    const double t = low / 2 + high / 2;
    if (t <= low || t >= high) break;
    (f.at(t) < share ? low : high) = t;
  }
  return cell.low + high * cell.width;
}

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
                        (high - low) * (static_cast<double>(i) / static_cast<double>(intervals)));
    points_.push_back(std::nextafter(high, low));
  }
  scaled_.resize(points_.size() + 2 * at(shape_padding));
  const std::size_t cells = (ends_.size() - 1) * at(intervals / 2);
  for (auto* column : {&mean_, &first_, &last_, &rise_, &end_})
    column->resize(cells + at(shape_padding));
  cells_.reserve(cells);
  uppers_.reserve(cells);
}

void HermiteCdf::rebuild(std::span<const double> log_g) {
  LOGPX_ASSERT(log_g.size() == points_.size());
  const double shift = det::largest_of(log_g);  // a NaN shows in what comes of it
  for (std::size_t i = 0; i < log_g.size(); ++i) scaled_[i] = log_g[i] - shift;
  const std::span<double> scaled = std::span(scaled_).first(log_g.size());
  det::exp(scaled, scaled);
  const std::size_t segments = ends_.size() - 1, per_segment = at(intervals_ / 2);
  double total = 0;
  for (std::size_t s = 0; s < segments; ++s) {
    const std::size_t first = s * per_segment;
    active_inversion_kernels().shapes({&scaled_[s * at(intervals_ + 1)], &mean_[first],
                                       &first_[first], &last_[first], &rise_[first], &end_[first]},
                                      intervals_ / 2);
    double sum = 0;
    for (std::size_t j = first; j < first + per_segment; ++j) sum += mean_[j];
    total += sum * (ends_[s + 1] - ends_[s]) / static_cast<double>(per_segment);
  }
  if (!(total > 0 && std::isfinite(total)))
    fail(ErrorKind::numeric, "density",
         "has no finite mass between " + four_digits(ends_.front()) + " and " +
             four_digits(ends_.back()));
  log_total_ = shift + std::log(total);
  build_cells(total);
}

void HermiteCdf::build_cells(double total) {
  cells_.clear();
  const std::size_t per_segment = at(intervals_ / 2);
  double sum = 0;
  for (std::size_t s = 0; s + 1 < ends_.size(); ++s) {
    const double* const point = &points_[s * at(intervals_ + 1)];
    const double share = (ends_[s + 1] - ends_[s]) / static_cast<double>(per_segment) / total;
    for (std::size_t i = 0; i < per_segment; ++i) {
      const std::size_t j = s * per_segment + i;
      const double mass = mean_[j] * share;
      if (sum + mass > sum) {
        const double low = i == 0 ? ends_[s] : point[2 * i];
        const double high = i + 1 == per_segment ? ends_[s + 1] : point[2 * i + 2];
        cells_.push_back(
            {sum, 1 / mass, first_[j], last_[j], rise_[j], end_[j], low, width_within(low, high)});
      }
      sum += mass;
    }
  }
  uppers_.clear();
  for (std::size_t j = 1; j < cells_.size(); ++j) uppers_.push_back(cells_[j].below);
  uppers_.push_back(1);
  guide_.rebuild(uppers_);
}

void HermiteCdf::quantiles(std::span<const double> u, std::span<double> z) const {
  LOGPX_ASSERT(u.size() == z.size());
  const long left = active_inversion_kernels().hermites(guide_.view(low(), high()), cells_.data(),
                                                        u.data(), z.data(), std::ssize(u));
  if (left == 0) return;
  for (std::size_t i = 0; i < u.size(); ++i)
    if (std::isnan(z[i]) && u[i] > 0 && u[i] < 1)
      z[i] = by_bisection(cells_[guide_.find(u[i])], u[i]);
}

double HermiteCdf::quantile(double u) const {
  double z = 0;
  quantiles({&u, 1}, {&z, 1});
  return z;
}

const HermiteCell& HermiteCdf::cell_at(double z) const {
  const auto above =
      std::upper_bound(cells_.begin(), cells_.end(), z,
                       [](double x, const HermiteCell& cell) { return x < cell.low; });
  return above == cells_.begin() ? cells_.front() : *(above - 1);
}

double HermiteCdf::cdf(double z) const {
  if (!(z > low())) return 0;
  if (!(z < high())) return 1;
  const HermiteCell& cell = cell_at(z);
  const double t = std::min((z - cell.low) / cell.width, 1.0);
  const double upper = guide_.upper(static_cast<std::size_t>(&cell - cells_.data()));
  return std::min(cell.below + Cubic(cell).at(t) / cell.inverse_mass, upper);
}

double HermiteCdf::density(double z) const {
  if (!(z >= low() && z <= high())) return 0;
  const HermiteCell& cell = cell_at(z);
  const double t = (z - cell.low) / cell.width;
  if (t > 1) return 0;  // between cells
  return Cubic(cell).slope(t) / (cell.inverse_mass * cell.width);
}

double HermiteCdf::slope(double u) const { return slope(u, quantile(u)); }

double HermiteCdf::slope(double u, double z) const {
  const HermiteCell& cell = cells_[guide_.find(std::clamp(u, 1e-300, 1 - 0x1p-53))];
  const double t = std::clamp((z - cell.low) / cell.width, 0.0, 1.0);
  return cell.width * cell.inverse_mass / Cubic(cell).slope(t);
}

}  // namespace logpx
