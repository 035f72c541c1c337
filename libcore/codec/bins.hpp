// Latents in bins of equal prior mass: the prior costs exactly b bits, and the posterior chooses
// among the bins.   [codec/README 3.5]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/codec/analytic.hpp"
#include "libcore/codec/distribution.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec {

constexpr int most_latent_bits = 16;

// 2^bits bins: edges [2^bits + 1], the outer ones infinite, and the z of each bin in the model.
struct Bins {
  enum class Prior { normal, tabulated };
  Prior prior = Prior::normal;
  int bits = 0;
  std::vector<double> edges, centres;

  // Outer bins: twice the part that ends at their centre.
  [[nodiscard]] double width(std::uint32_t i) const {
    if (i == 0) return 2 * (edges[1] - centres[0]);
    if (i + 1 == centres.size()) return 2 * (centres[i] - edges[i]);
    return edges[i + 1] - edges[i];
  }
};

// The bins of N(0, 1), built at the first call for these bits (1..16) and kept. It must not be
// called from inside a run of the workers.
[[nodiscard]] const Bins& normal_bins(int bits, Workers& workers);

// A distribution function given at grid points (rising, `cdf` from 0 to 1), linear between them.
struct TabulatedCdf {
  std::span<const double> grid, cdf;
  [[nodiscard]] double at(double x) const;
};
// The bins of N(mean, deviation), made of those of N(0, 1).
[[nodiscard]] Bins moved_bins(const Bins& standard, const Normal& normal);
// The bins of a univariate prior: edges and centres by 60 bisections of the grid's range.
[[nodiscard]] Bins tabulated_bins(const TabulatedCdf& prior, int bits);

// N(mu, sigma) over bins. For an encoder to pop: F(i) = floor(Phi((E_i - mu) / sigma) 2^r + 0.5);
// for a decoder to pop: floor(Phi((E_i - mu) / sigma) (2^r - 2n)) + 2i.
// For a prior N(m, s) and bins of N(0, 1) it is asked for (mu - m) / s and sigma / s.
template <Leak leak>
class NormalOverBins {
 public:
  NormalOverBins(const Bins& bins, const Normal& normal, int precision)
      : bins_(&bins),
        normal_(normal),
        precision_(precision),
        parts_(static_cast<double>((1u << precision) - (leak == Leak::kept ? 2 * n() : 0))) {}

  [[nodiscard]] std::uint32_t n() const { return 1u << bins_->bits; }
  [[nodiscard]] int precision() const { return precision_; }
  [[nodiscard]] std::uint32_t cdf(std::uint32_t i) const {
    const double g = normal_.cdf(bins_->edges[i]);
    if constexpr (leak == Leak::none) return parts_of(g, parts_, 0.5);
    else return parts_of(g, parts_) + 2 * i;
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t part) const {
    return halving_search(n(), part, [this](std::uint32_t i) { return cdf(i); });
  }

 private:
  const Bins* bins_;
  Normal normal_;
  int precision_;
  double parts_;
};
using PosteriorBins = NormalOverBins<Leak::none>;
using PriorBins = NormalOverBins<Leak::kept>;

// e^(clamp(log_var, -14, 14) / 2): deviations as networks give them.
[[nodiscard]] inline double deviation_of(double log_var) {
  return det_exp(0.5 * (log_var > -14.0 ? (log_var < 14.0 ? log_var : 14.0) : -14.0));
}

}  // namespace logpx::codec
