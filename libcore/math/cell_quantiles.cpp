#include "libcore/math/cell_quantiles.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

std::vector<double> cells_between(std::span<const double> breaks, std::int64_t count) {
  const double whole = breaks.back() - breaks.front();
  std::vector<double> edges;
  for (std::size_t b = 0; b + 1 < breaks.size(); ++b) {
    const double low = breaks[b], range = breaks[b + 1] - low;
    const double cells =
        std::max(1.0, std::floor(static_cast<double>(count) * range / whole + 0.5));
    for (double i = 0; i < cells; ++i) edges.push_back(low + range * (i / cells));
  }
  edges.push_back(breaks.back());
  return edges;
}

CellQuantiles::CellQuantiles(std::vector<double> edges, std::span<const double> masses)
    : edges_(std::move(edges)) {
  const std::size_t cells = edges_.size() - 1;
  LOGPX_ASSERT(cells > 0 && masses.size() % cells == 0);
  for (std::size_t first = 0; first < masses.size(); first += cells) {
    double sum = 0;
    sums_.push_back(sum);
    for (const double mass : masses.subspan(first, cells)) {
      LOGPX_ASSERT(mass >= 0);
      sums_.push_back(sum = sum + mass);
    }
    LOGPX_ASSERT(sum > 0 && std::isfinite(sum));
  }
}

double CellQuantiles::operator()(std::size_t row, double u) const {
  const auto sums = std::span(sums_).subspan(row * edges_.size(), edges_.size());
  const double wanted = std::min(u, 1.0) * sums.back();
  // The first cell with mass whose sum reaches it.
  const auto reached = wanted > 0 ? std::lower_bound(sums.begin() + 1, sums.end(), wanted)
                                  : std::upper_bound(sums.begin() + 1, sums.end(), 0.0);
  const auto cell = static_cast<std::size_t>(reached - sums.begin()) - 1;
  const double share = (std::max(wanted, 0.0) - sums[cell]) / (sums[cell + 1] - sums[cell]);
  return edges_[cell] + (edges_[cell + 1] - edges_[cell]) * share;
}

}  // namespace logpx
