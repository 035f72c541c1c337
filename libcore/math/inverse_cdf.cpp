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
  std::vector<double> uppers;
  for (std::size_t j = 1; j < pieces_.size(); ++j) uppers.push_back(pieces_[j].below);
  uppers.push_back(1);
  guide_.rebuild(uppers);
}

void InverseCdf::quantiles(std::span<const double> u, std::span<double> z) const {
  LOGPX_ASSERT(u.size() == z.size());
  if (hermite_) return hermite_->quantiles(u, z);
  active_inversion_kernels().polynomials(guide_.view(low(), high()), pieces_.data(), u.data(),
                                         z.data(), std::ssize(u));
}

double InverseCdf::quantile(double u) const {
  double z = 0;
  quantiles({&u, 1}, {&z, 1});
  return z;
}

double InverseCdf::slope(double u) const {
  if (hermite_) return hermite_->slope(u);
  const double inside = std::clamp(u, 1e-300, 1 - 0x1p-53);
  const InversePiece& p = pieces_[guide_.find(inside)];
  const double d = inside - p.below;
  return p.c[0] + d * (2 * p.c[1] + d * (3 * p.c[2] + d * (4 * p.c[3] + d * 5 * p.c[4])));
}

double InverseCdf::low() const { return hermite_ ? hermite_->low() : pieces_.front().low; }
double InverseCdf::high() const { return hermite_ ? hermite_->high() : pieces_.back().high; }
double InverseCdf::log_total() const { return log_total_; }

}  // namespace logpx
