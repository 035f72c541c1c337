#include "libcore/math/inverse_cdf.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/gauss_rules.hpp"
#include "libcore/math/inverse_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {

InverseCdf::InverseCdf(const PanelCdf& target) { exact_pieces(target); }

InverseCdf::InverseCdf(const IntervalDensity& density, const InversionOptions& options) {
  switch (options.method) {
    case Inversion::exact: exact_pieces(PanelCdf(density, options.quadrature)); break;
    case Inversion::hermite: {
      hermite_.emplace(density.breaks, options.nodes);
      std::vector<double> log_g(hermite_->points().size());
      density.log_g(hermite_->points(), log_g);
      hermite_->rebuild(log_g);
      log_total_ = hermite_->log_total();
      break;
    }
    case Inversion::cells:
    case Inversion::nodes: gauss_pieces(density, options); break;
  }
}

// One rule over the whole interval, whatever breaks lie in it.
void InverseCdf::gauss_pieces(const IntervalDensity& density, const InversionOptions& options) {
  const double first = density.breaks.front(), last = density.breaks.back();
  const QuadratureRule rule = on_interval(gauss_legendre(options.nodes), first, last);
  const std::size_t n = rule.nodes.size();
  std::vector<double> mass(n);
  density.log_g(rule.nodes, mass);
  const double shift = *std::max_element(mass.begin(), mass.end());
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mass[i] = rule.weights[i] * std::exp(mass[i] - shift);
    total += mass[i];
  }
  if (!(total > 0 && std::isfinite(total)))
    fail(ErrorKind::numeric, "density",
         "has no finite mass between " + four_digits(first) + " and " + four_digits(last));
  log_total_ = shift + std::log(total);
  double edge = first, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double low = edge, below = std::min(sum / total, 1.0);
    if (options.method == Inversion::nodes) edge = rule.nodes[i];
    else edge = i + 1 == n ? last : edge + rule.weights[i];
    sum += mass[i];
    const double share = std::min(sum / total, 1.0) - below;
    if (share > 0) pieces_.push_back({below, low, {(edge - low) / share}, edge});
  }
  finish();
}

void InverseCdf::exact_pieces(const PanelCdf& target) {
  log_total_ = target.log_total();
  pieces_ = inverse_pieces(target);
  finish();
}

void InverseCdf::finish() {
  for (std::size_t j = 0; j + 1 < pieces_.size(); ++j) uppers_.push_back(pieces_[j + 1].below);
  uppers_.push_back(1);
  guide_.rebuild(pieces_.size(), [this](std::size_t j) { return uppers_[j]; });
}

double InverseCdf::quantile(double u) const {
  if (hermite_) return hermite_->quantile(u);
  if (!(u > 0)) return pieces_.front().low;
  if (u >= 1) return pieces_.back().high;
  const Piece& p = piece_of(u);
  const double d = u - p.below;
  const double z = p.low + d * (p.c[0] + d * (p.c[1] + d * (p.c[2] + d * (p.c[3] + d * p.c[4]))));
  return std::min(std::max(z, p.low), p.high);
}

void InverseCdf::quantiles(std::span<const double> u, std::span<double> z) const {
  LOGPX_ASSERT(u.size() == z.size());
  if (hermite_) return hermite_->quantiles(u, z);
  for (std::size_t i = 0; i < u.size(); ++i) z[i] = quantile(u[i]);
}

double InverseCdf::slope(double u) const {
  if (hermite_) return hermite_->slope(u);
  const Piece& p = piece_of(std::clamp(u, 1e-300, 1 - 0x1p-53));
  const double d = u - p.below;
  return p.c[0] + d * (2 * p.c[1] + d * (3 * p.c[2] + d * (4 * p.c[3] + d * 5 * p.c[4])));
}

double InverseCdf::low() const { return hermite_ ? hermite_->low() : pieces_.front().low; }
double InverseCdf::high() const { return hermite_ ? hermite_->high() : pieces_.back().high; }
double InverseCdf::log_total() const { return log_total_; }

}  // namespace logpx
