// Distributions over cells of a line, given by a computed distribution function G at the cells'
// edges: the discretised normal, logistic and their mixtures.
// [codec/README 3.3]
//
//   F(0) = 0, F(n) = 2^r, between them F(i) = floor(G(edge i) (2^r - 2n)) + 2i
//
// The two parts per symbol keep F rising where G, as computed, falls by a last place. The first and
// the last cell take the tails.
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/codec/distribution.hpp"
#include "libcore/det/functions.hpp"

#include <cstdint>
#include <span>

namespace logpx::codec {

enum class Leak { kept, none };  // kept: a decoder pops it; none: an encoder does

// Cells of width h from lo on: cell i is [edge(i), edge(i+1)).
struct Cells {
  double lo = 0, h = 1;
  std::uint32_t n = 1;
  [[nodiscard]] double edge(std::uint32_t i) const { return lo + static_cast<double>(i) * h; }
  [[nodiscard]] double centre(std::uint32_t i) const {
    return lo + (static_cast<double>(i) + 0.5) * h;
  }
};

struct Normal {
  double mu = 0, sigma = 1;
  [[nodiscard]] double cdf(double x) const { return det_ndtr((x - mu) / sigma); }
};
struct Logistic {
  double mu = 0, scale = 1;
  [[nodiscard]] double cdf(double x) const { return det_sigmoid((x - mu) / scale); }
};

// sum_m weight_m G_m, m ascending; weights sum to one. Refers to the caller's numbers.
template <typename Component>
struct Mixture {
  std::span<const double> weights;
  std::span<const Component> components;
  [[nodiscard]] double cdf(double x) const {
    double sum = 0.0;
    for (std::size_t m = 0; m < components.size(); ++m)
      sum = sum + weights[m] * components[m].cdf(x);
    return sum;
  }
};

// e^(clamp(log_scale, -7, 7)): scales as networks give them.
[[nodiscard]] inline double scale_of(double log_scale) {
  return det_exp(log_scale > -7.0 ? (log_scale < 7.0 ? log_scale : 7.0) : -7.0);
}

// floor(g parts + round), whatever g is: below 0 and not-a-number count as 0, above 1 as 1.
[[nodiscard]] inline std::uint32_t parts_of(double g, double parts, double round = 0.0) {
  if (!(g > 0.0)) g = 0.0;
  if (g > 1.0) g = 1.0;
  return static_cast<std::uint32_t>(g * parts + round);
}

template <typename Density>
class Analytic {
 public:
  // 2 cells.n <= 2^(precision - 1).
  Analytic(const Cells& cells, const Density& density, int precision)
      : cells_(cells),
        density_(density),
        precision_(precision),
        parts_(static_cast<double>((1u << precision) - 2 * cells.n)) {
    LOGPX_DCHECK(precision <= most_precision && cells.n <= 1u << (precision - 2));
  }

  [[nodiscard]] std::uint32_t n() const { return cells_.n; }
  [[nodiscard]] int precision() const { return precision_; }
  [[nodiscard]] std::uint32_t cdf(std::uint32_t i) const {
    if (i == 0) return 0;
    if (i == cells_.n) return 1u << precision_;
    return parts_of(density_.cdf(cells_.edge(i)), parts_) + 2 * i;
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t part) const {
    return halving_search(n(), part, [this](std::uint32_t i) { return cdf(i); });
  }

 private:
  Cells cells_;
  Density density_;
  int precision_;
  double parts_;
};

}  // namespace logpx::codec
