#include "libcore/math/hermite_grid.hpp"

#include "libcore/base/error.hpp"

namespace logpx {

HermiteGrid::HermiteGrid(std::span<const double> breaks, std::int64_t intervals)
    : ends_(breaks.begin(), breaks.end()), each_(at(intervals / 2)) {
  LOGPX_ASSERT(breaks.size() >= 2 && intervals >= 2 && intervals % 2 == 0);
  const auto steps = static_cast<double>(intervals);
  for (std::size_t s = 0; s + 1 < ends_.size(); ++s) {
    const double low = ends_[s], high = ends_[s + 1];
    LOGPX_ASSERT(low < high);
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
  const auto above = std::upper_bound(ends_.begin() + 1, ends_.end() - 1, z);
  const auto segment = static_cast<std::size_t>(above - ends_.begin()) - 1;
  const double width = cells_[segment * each_].width;
  const double place = std::max((z - ends_[segment]) / width, 0.0);
  const std::size_t inside = std::min(static_cast<std::size_t>(place), each_ - 1);
  const double t = std::min(place - static_cast<double>(inside), 1.0);
  const double whole = width / 6 * t * t * (3 - 2 * t);  // Simpson's, risen so far
  return {segment * each_ + inside,
          {whole + width * t * (1 - t) * (1 - t), 4 * whole, whole - width * t * t * (1 - t)}};
}

}  // namespace logpx
