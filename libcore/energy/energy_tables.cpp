#include "libcore/energy/energy_tables.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/energy/energy_density.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

void append(const QuadratureRule& part, QuadratureRule& rule) {
  rule.nodes.insert(rule.nodes.end(), part.nodes.begin(), part.nodes.end());
  rule.weights.insert(rule.weights.end(), part.weights.begin(), part.weights.end());
}

}  // namespace

QuadratureRule energy_rule(const EnergyForm& form, std::span<const double> breaks) {
  if (form.quadrature == Quadrature::gauss_legendre)
    return composite_gauss_legendre(breaks, form.nodes);
  const KronrodRule& kronrod = gauss_kronrod(10);
  QuadratureRule rule;
  for (std::size_t b = 0; b + 1 < breaks.size(); ++b) {
    const double low = breaks[b], high = breaks[b + 1], range = high - low;
    const double share = static_cast<double>(form.nodes) * range / (breaks.back() - breaks.front());
    if (form.quadrature == Quadrature::trapezoid) {
      QuadratureRule part =
          on_interval(trapezoid(std::max<std::int64_t>(4, std::llround(share))), low, high);
      // A jump at an end is seen from inside.
      part.nodes.front() = std::nextafter(low, high);
      part.nodes.back() = std::nextafter(high, low);
      append(part, rule);
      continue;
    }
    const auto size = static_cast<double>(kronrod.nodes.size());
    const int pieces = static_cast<int>(std::max(std::round(share / size), 1.0));
    for (int i = 0; i < pieces; ++i)
      append(on_interval({kronrod.nodes, kronrod.weights}, low + range * i / pieces,
                         low + range * (i + 1) / pieces),
             rule);
  }
  return rule;
}

EnergyMoments::EnergyMoments(const EnergyValues& values, std::int64_t feature)
    : curves_(values, feature), log_z_(at(curves_.count())) {}

void EnergyMoments::rebuild() {
  curves_.renew();
  curves_.breaks(breaks_);
  if (breaks_ != seen_breaks_) {
    rule_ = energy_rule(curves_.form(), breaks_);
    seen_breaks_ = breaks_;
  }
  const std::size_t n = rule_.nodes.size();
  curves_.set_points(rule_.nodes, With::gradients, nodes_);
  f_.resize(n * log_z_.size());
  curves_.energies(nodes_, Points::common, f_);
  curves_.require_moderate(f_);
  weights_ = f_;
  curves_.add_log_base(nodes_, Points::common, weights_);
  for (std::size_t c = 0; c < log_z_.size(); ++c) {
    const std::span<double> row = std::span(weights_).subspan(c * n, n);
    const double shift = *std::ranges::max_element(row);
    for (double& value : row) value -= shift;
    det::exp(row, row);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += row[i] *= rule_.weights[i];
    log_z_[c] = shift + std::log(sum);
    if (!std::isfinite(log_z_[c]))
      fail(ErrorKind::numeric, curves_.form().name(curves_.feature(), static_cast<std::int64_t>(c)),
           "has no finite mass on its domain");
    for (double& value : row) value /= sum;
  }
}

void EnergyMoments::add_expectation(std::span<const double> coefficients,
                                    EnergyGradient& gradient) {
  const std::size_t n = rule_.nodes.size();
  scaled_.resize(weights_.size());
  for (std::size_t c = 0; c < coefficients.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) scaled_[c * n + i] = coefficients[c] * weights_[c * n + i];
  curves_.add_gradient(nodes_, Points::common, scaled_, gradient);
}

EnergyTables::EnergyTables(const EnergyValues& values, std::int64_t feature, Inversion method)
    : curves_(values, feature), method_(method) {}

void EnergyTables::rebuild() {
  curves_.renew();
  curves_.breaks(breaks_);
  if (breaks_ != seen_breaks_) {
    table_.emplace(breaks_, curves_.form().nodes + curves_.form().nodes % 2);
    seen_breaks_ = breaks_;
  }
  curves_.set_points(table_->points(), With::gradients, points_);
  density_.resize(table_->points().size() * at(curves_.count()));
  curves_.energies(points_, Points::common, density_);
  curves_.require_moderate(density_);
  curves_.add_log_base(points_, Points::common, density_);
}

void EnergyTables::draw(std::int64_t curve, std::span<const double> u, std::span<double> z,
                        std::span<double> slopes) {
  const auto name = [&] { return curves_.form().name(curves_.feature(), curve); };
  const std::size_t n = table_->points().size();
  const std::span<double> row = std::span(density_).subspan(at(curve) * n, n);
  under_name(name, [&] { table_->rebuild(row); });
  table_->point_densities(row);
  if (method_ == Inversion::hermite) return table_->quantiles(u, z, slopes);
  under_name(name, [&] {
    const InverseCdf inverse(energy_density(curves_.values(), curves_.feature(), curve),
                             {.method = method_, .nodes = curves_.form().nodes});
    inverse.quantiles(u, z);
    for (std::size_t i = 0; i < u.size(); ++i) slopes[i] = inverse.slope(u[i]);
  });
}

// weights_j = p_j sum_s share_s (u_s W_j - w_j(z_s)): W integrates to the end, w(z) up to z. What
// lies in whole cells below a sample is gathered by suffix sums.
void EnergyTables::weigh(std::span<const double> p, std::span<const double> u,
                         std::span<const double> z, std::span<double> weights) {
  std::ranges::fill(weights, 0);
  passed_.assign(table_->cells() + 1, 0);
  double total = 0;
  for (std::size_t s = 0; s < z.size(); ++s) {
    const HermiteCdf::CellPart part = table_->part_before(z[s]);
    double* const here = &weights[table_->first_point(part.cell)];
    for (std::size_t i = 0; i < 3; ++i) here[i] -= shares_[s] * part.weights[i];
    passed_[part.cell] += shares_[s];
    total += shares_[s] * u[s];
  }
  double beyond = 0;  // of samples in later cells
  for (std::size_t k = table_->cells(); k-- > 0;) {
    const double simpson = table_->cell_width(k) / 6 * (total - beyond);
    double* const here = &weights[table_->first_point(k)];
    here[0] += simpson;
    here[1] += 4 * simpson;
    here[2] += simpson;
    beyond += passed_[k];
  }
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] *= p[j];
}

void EnergyTables::add_pathwise_gradient(std::span<const double> u, std::span<const double> z,
                                         std::span<const double> slopes, std::span<const double> dz,
                                         EnergyGradient& gradient) {
  const std::size_t curves = at(curves_.count()), n = table_->points().size();
  const std::size_t samples = z.size() / curves;
  weights_.resize(density_.size());
  shares_.resize(samples);
  for (std::size_t c = 0; c < curves; ++c) {
    for (std::size_t s = 0; s < samples; ++s)
      shares_[s] = dz[c * samples + s] * slopes[c * samples + s];
    weigh(std::span(density_).subspan(c * n, n),
          u.size() == z.size() ? u.subspan(c * samples, samples) : u,
          z.subspan(c * samples, samples), std::span(weights_).subspan(c * n, n));
  }
  curves_.add_gradient(points_, Points::common, weights_, gradient);
}

}  // namespace logpx
