#include "libcore/math/hermite_grid.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

const AllGridKernels& grid_kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::grid_kernels;
  if (isa == Isa::v3) return v3::grid_kernels;
#endif
  return baseline::grid_kernels;
}

const AllGridKernels& active_grid_kernels() {
  static const AllGridKernels& kernels = grid_kernels_of(active_isa());
  return kernels;
}

template <>
const GridKernels<float>& grid_kernels() {
  return active_grid_kernels().of_floats;
}
template <>
const GridKernels<double>& grid_kernels() {
  return active_grid_kernels().of_doubles;
}

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
      first_points_.push_back(static_cast<long long>(first));
      lows_.push_back(start);
      widths_.push_back(end - start);
      sixths_.push_back((end - start) / 6);
    }
    first_width_.push_back(widths_[s * each_]);
    first_sixth_.push_back(sixths_[s * each_]);
  }
}

template <typename T>
void HermiteGrid::masses(std::span<const T> g, std::span<double> masses) const {
  for (std::size_t s = 0; s < segments(); ++s)
    grid_kernels<T>().masses(&g[s * (2 * each_ + 1)], &sixths_[s * each_], &masses[s * each_],
                             static_cast<long>(each_));
}
template void HermiteGrid::masses(std::span<const float>, std::span<double>) const;
template void HermiteGrid::masses(std::span<const double>, std::span<double>) const;

void HermiteGrid::spread(std::span<const double> rises, std::span<double> sums) const {
  for (std::size_t s = 0; s < segments(); ++s)
    active_grid_kernels().spread(&rises[s * each_], &sums[s * (2 * each_ + 1)],
                                 static_cast<long>(each_));
}

void HermiteGrid::parts(std::span<const double> z, std::span<const double> shares,
                        CellParts& parts) const {
  parts.cells.resize(z.size());
  for (std::vector<double>& weights : parts.weights) weights.resize(z.size());
  active_grid_kernels().parts(
      {ends_.data(), per_width_.data(), first_width_.data(), first_sixth_.data(),
       static_cast<long>(segments()), static_cast<long>(each_), z.data(), shares.data(),
       parts.cells.data(), parts.weights[0].data(), parts.weights[1].data(),
       parts.weights[2].data()},
      static_cast<long>(z.size()));
}

template <typename T>
void HermiteSampler::gather(const Table<T>& table, std::span<const double> u) {
  constexpr double least_u = 1e-300, most_u = 1 - 0x1p-53;
  const HermiteGrid& grid = table.grid;
  grid_kernels<T>().gather(
      {table.below.data(), grid.lows().data(), grid.widths().data(), grid.first_points().data(),
       static_cast<long>(grid.cells()), table.g.data(), u.data(), least_u, most_u, cell_.data(),
       u_.data(), below_.data(), start_.data(), middle_.data(), end_.data(), width_.data(),
       low_.data()},
      static_cast<long>(u.size()));
}

// For samples that Newton's iteration does not reach, since F hardly rises there.
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
