#include "libcore/codec/bins.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/fp_environment.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>

namespace logpx::codec {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// quantile(2i + 1, bits + 1) for every bin; bins on either side of the middle differ in sign.
std::vector<double> normal_centres(int bits, Workers& workers) {
  const std::uint32_t n = 1u << bits, half = n / 2, block = 256;
  std::vector<double> centres(n);
  workers.run((half + block - 1) / block, [&](std::int64_t number) {
    const det::FpEnvironment plain;
    const auto begin = static_cast<std::uint32_t>(number) * block;
    for (std::uint32_t i = begin; i < std::min(begin + block, half); ++i) {
      centres[i] = quantile(2 * i + 1, bits + 1);
      centres[n - 1 - i] = -centres[i];
    }
  });
  return centres;
}

}  // namespace

const Bins& normal_bins(int bits, Workers& workers) {
  static std::array<std::once_flag, most_latent_bits + 1> built;
  static std::array<Bins, most_latent_bits + 1> kept;
  LOGPX_ASSERT(bits >= 1 && bits <= most_latent_bits);
  Bins& bins = kept[static_cast<std::size_t>(bits)];
  std::call_once(built[static_cast<std::size_t>(bits)], [&] {
    bins = {Bins::Prior::normal, bits, quantile_table(bits, workers),
            normal_centres(bits, workers)};
  });
  return bins;
}

Bins moved_bins(const Bins& standard, const Normal& normal) {
  Bins moved = standard;
  moved.prior = Bins::Prior::tabulated;
  for (double& edge : moved.edges) edge = normal.mu + normal.sigma * edge;
  for (double& centre : moved.centres) centre = normal.mu + normal.sigma * centre;
  return moved;
}

double TabulatedCdf::at(double x) const {
  if (!(x > grid.front())) return 0.0;
  if (x >= grid.back()) return 1.0;
  const auto place = std::upper_bound(grid.begin(), grid.end(), x);
  const auto i = static_cast<std::size_t>(place - grid.begin());
  const double share = (x - grid[i - 1]) / (grid[i] - grid[i - 1]);
  return cdf[i - 1] + share * (cdf[i] - cdf[i - 1]);
}

Bins tabulated_bins(const TabulatedCdf& prior, int bits) {
  LOGPX_ASSERT(bits >= 1 && bits <= most_latent_bits && prior.grid.size() >= 2 &&
               prior.grid.size() == prior.cdf.size());
  const det::FpEnvironment plain;
  const auto inverse = [&](double target) {
    double low = prior.grid.front(), high = prior.grid.back();
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (low + high);
      (prior.at(middle) < target ? low : high) = middle;
    }
    return 0.5 * (low + high);
  };
  const std::uint32_t n = 1u << bits;
  Bins bins{Bins::Prior::tabulated, bits, std::vector<double>(n + 1), std::vector<double>(n)};
  for (std::uint32_t i = 0; i <= 2 * n; ++i) {
    const double target = static_cast<double>(i) / static_cast<double>(2 * n);
    if (i % 2 == 1) bins.centres[i / 2] = inverse(target);
    else bins.edges[i / 2] = i == 0 ? -infinity : i == 2 * n ? infinity : inverse(target);
  }
  return bins;
}

}  // namespace logpx::codec
