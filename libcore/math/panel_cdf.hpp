// The distribution function of a density on an interval, by adaptive quadrature: what samplers are
// built from, and what their errors are measured by.   [math/README 8.2]
//
//   const PanelCdf target(density);
//   const double evidence = target.log_total(), below = target.cdf(0.5);
#pragma once

#include "libcore/math/adaptive_quadrature.hpp"
#include "libcore/math/interval_density.hpp"

#include <span>
#include <vector>

namespace logpx {

class PanelCdf {
 public:
  // A density without mass, or one that adaptive_integral refuses, is a numeric error.
  explicit PanelCdf(IntervalDensity density, const AdaptiveOptions& options = {});

  // log of the integral of g; any size of log g will do.
  [[nodiscard]] double log_total() const;
  // Where the mass begins and ends: panels at the ends that hold none are left out.
  [[nodiscard]] double low() const { return panels_.front().low; }
  [[nodiscard]] double high() const { return panels_.back().high; }

  // F(z) by a Kronrod rule from the start of the panel, within 1e-12 or so.
  [[nodiscard]] double cdf(double z) const;
  // log p(z), normalised; -inf outside.
  [[nodiscard]] double log_density(double z) const;
  // The integral of h p, h given at all z at once. Good where h is as smooth as p in each panel.
  [[nodiscard]] double expectation(const RealFunction& h) const;

  // Panels with mass, from left to right; `integral` and `values` (of p, on the nodes of
  // gauss_kronrod(options.kronrod)) are normalised.
  [[nodiscard]] std::span<const QuadraturePanel> panels() const { return panels_; }
  [[nodiscard]] double start(std::size_t panel) const { return starts_[panel]; }  // F there
  // The integral of p over [low,z], both in one panel.
  [[nodiscard]] double mass_between(double low, double z) const;
  [[nodiscard]] QuadraturePanel part(double low, double high) const;  // of a panel, as above
  [[nodiscard]] const AdaptiveOptions& options() const { return options_; }

 private:
  void scaled_density(std::span<const double> z, std::span<double> g) const;

  IntervalDensity density_;
  AdaptiveOptions options_;
  double shift_ = 0, total_ = 1;  // of g e^-shift
  std::vector<QuadraturePanel> panels_;
  std::vector<double> starts_;
};

// max |F(z_i) - u_i|
[[nodiscard]] double largest_u_error(const PanelCdf& target, std::span<const double> u,
                                     std::span<const double> z);

}  // namespace logpx
