#include "libcore/math/hermite_grid.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

// u outside is taken for the nearest of these.
constexpr double least_u = 1e-300, most_u = 1 - 0x1p-53;

HermiteGrid::HermiteGrid(std::span<const double> breaks, std::int64_t intervals)
    : ends_(breaks.begin(), breaks.end()), each_(at(intervals / 2)) {
  LOGPX_ASSERT(breaks.size() >= 2 && intervals >= 2 && intervals % 2 == 0);
  const auto steps = static_cast<double>(intervals);
  for (std::size_t s = 0; s + 1 < ends_.size(); ++s) {
    const double low = ends_[s], high = ends_[s + 1];
    LOGPX_ASSERT(low < high);
    per_width_.push_back(static_cast<double>(each_) / (high - low));
    points_.push_back(std::nextafter(low, high));
    for (std::int64_t i = 1; i < intervals; ++i)
      points_.push_back(low + (high - low) * static_cast<double>(i) / steps);
    points_.push_back(std::nextafter(high, low));
    for (std::size_t k = 0; k < each_; ++k) {
      const std::size_t first = s * (2 * each_ + 1) + 2 * k;
      const double start = k == 0 ? low : points_[first];
      const double end = k + 1 == each_ ? high : points_[first + 2];
      cells_.push_back({first, start, end - start, (end - start) / 6});
    }
  }
}

HermiteGrid::Part HermiteGrid::part_before(double z) const {
  std::size_t segment = 0;
  while (segment + 1 < per_width_.size() && z >= ends_[segment + 1]) ++segment;
  const double width = cells_[segment * each_].width;
  const double place = std::max((z - ends_[segment]) * per_width_[segment], 0.0);
  const std::size_t inside = std::min(static_cast<std::size_t>(place), each_ - 1);
  const double t = std::min(place - static_cast<double>(inside), 1.0);
  const double whole = width / 6 * t * t * (3 - 2 * t);  // Simpson's, risen so far
  return {segment * each_ + inside,
          {whole + width * t * (1 - t) * (1 - t), 4 * whole, whole - width * t * t * (1 - t)}};
}

template <typename T>
void HermiteSampler::gather(const Table<T>& table, std::span<const double> u) {
  const auto widened = [](T value) { return static_cast<double>(value); };
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double place = std::clamp(u[i], least_u, most_u);
    const std::size_t k = table.guide.find(place);
    const HermiteGrid::CellPlace& cell = table.grid.cells()[k];
    const T* const g = &table.g[cell.first_point];
    u_[i] = place;
    below_[i] = table.below[k];
    start_[i] = widened(g[0]);
    middle_[i] = widened(g[1]);
    end_[i] = widened(g[2]);
    width_[i] = cell.width;
    low_[i] = cell.low;
  }
}

// What Newton's iteration leaves: where F rises hardly at all.
void HermiteSampler::bisect(std::size_t i) {
  const double mean = (start_[i] + 4 * middle_[i] + end_[i]) / 6;
  const double first = std::min(start_[i] / mean, 3.0), last = std::min(end_[i] / mean, 3.0);
  const double b = 3 - 2 * first - last, c = first + last - 2;
  const double share = std::min((u_[i] - below_[i]) / (mean * width_[i]), 1.0);
  double low = 0, high = 1;
  while (high - low > 1e-16) {
    const double t = low / 2 + high / 2;
    if (t <= low || t >= high) break;
    (t * (first + t * (b + t * c)) < share ? low : high) = t;
  }
  t_[i] = high;
  slope_[i] = 1 / (mean * (first + high * (2 * b + high * 3 * c)));
}

template <typename T>
void HermiteSampler::draw(const Table<T>& table, std::span<const double> u, std::span<double> z,
                          std::span<double> slopes) {
  const CellSamples samples{u_.data(),   below_.data(), start_.data(), middle_.data(),
                            end_.data(), width_.data(), t_.data(),     slope_.data()};
  for (std::size_t first = 0; first < u.size(); first += block) {
    const std::size_t n = std::min(block, u.size() - first);
    gather(table, u.subspan(first, n));
    const long lost = active_inversion_kernels().cells(samples, static_cast<long>(n));
    for (std::size_t i = 0; lost > 0 && i < n; ++i)
      if (std::isnan(t_[i])) bisect(i);
    for (std::size_t i = 0; i < n; ++i) z[first + i] = low_[i] + t_[i] * width_[i];
    if (!slopes.empty())
      std::copy_n(slope_.begin(), n, slopes.begin() + static_cast<std::ptrdiff_t>(first));
  }
}
template void HermiteSampler::draw(const Table<float>&, std::span<const double>, std::span<double>,
                                   std::span<double>);
template void HermiteSampler::draw(const Table<double>&, std::span<const double>, std::span<double>,
                                   std::span<double>);

}  // namespace logpx
