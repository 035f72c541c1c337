#include "libcore/energy/energy_tables.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/energy/energy_density.hpp"
#include "libcore/math/under_name.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

void append(const QuadratureRule& part, QuadratureRule& rule) {
  rule.nodes.insert(rule.nodes.end(), part.nodes.begin(), part.nodes.end());
  rule.weights.insert(rule.weights.end(), part.weights.begin(), part.weights.end());
}

// exp(x - shift), by whichever exp is fast. In float there is 0 below e^-69, since numbers near the
// least float are slow.
void exponentiate(std::span<float> x, float shift) {
  grid_kernels<float>().lower(x.data(), shift, std::ssize(x));
  vec::exp(std::span<const float>(x), x);
}
void exponentiate(std::span<double> x, double shift) {
  grid_kernels<double>().lower(x.data(), shift, std::ssize(x));
  det::exp(x, x);
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
      // A jump at an end is to be seen from inside.
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

template <typename T>
EnergyMomentsOf<T>::EnergyMomentsOf(const EnergyValues& values, std::int64_t feature)
    : curves_(values, feature), log_z_(at(curves_.count())) {}

template <typename T>
void EnergyMomentsOf<T>::rebuild() {
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
    const std::span<T> row = std::span(weights_).subspan(c * n, n);
    const T shift = grid_kernels<T>().largest(row.data(), std::ssize(row));
    exponentiate(row, shift);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      row[i] *= static_cast<T>(rule_.weights[i]);
      sum += static_cast<double>(row[i]);
    }
    log_z_[c] = static_cast<double>(shift) + det_log(sum);
    if (!std::isfinite(log_z_[c]))
      fail(ErrorKind::numeric, curves_.form().name(curves_.feature(), static_cast<std::int64_t>(c)),
           "has no finite mass on its domain");
    for (T& value : row) value = static_cast<T>(static_cast<double>(value) / sum);
  }
}

template <typename T>
void EnergyMomentsOf<T>::add_expectation(std::span<const double> coefficients,
                                         EnergyGradient& gradient) {
  const std::size_t n = rule_.nodes.size();
  scaled_.resize(weights_.size());
  for (std::size_t c = 0; c < coefficients.size(); ++c)
    for (std::size_t i = 0; i < n; ++i)
      scaled_[c * n + i] = static_cast<T>(coefficients[c]) * weights_[c * n + i];
  curves_.add_gradient(nodes_, Points::common, scaled_, gradient);
}

template <typename T>
EnergyTablesOf<T>::EnergyTablesOf(const EnergyValues& values, std::int64_t feature,
                                  Inversion method)
    : curves_(values, feature), method_(method) {}

template <typename T>
void EnergyTablesOf<T>::rebuild() {
  curves_.renew();
  curves_.breaks(breaks_);
  if (breaks_ != seen_breaks_) {
    grid_.emplace(breaks_, curves_.form().nodes + curves_.form().nodes % 2);
    seen_breaks_ = breaks_;
  }
  curves_.set_points(grid_->points(), With::gradients, points_);
  density_.resize(grid_->points().size() * at(curves_.count()));
  curves_.energies(points_, Points::common, density_);
  curves_.require_moderate(density_);
  curves_.add_log_base(points_, Points::common, density_);
}

// g on the points becomes p, and below_ the integral of p up to the edges of cells.
template <typename T>
void EnergyTablesOf<T>::normalise(std::span<T> g) {
  below_.resize(grid_->cells() + 1);
  const std::span<double> masses = std::span(below_).subspan(1);
  grid_->masses(std::span<const T>(g), masses);
  double sum = 0;
  for (double& mass : masses) {
    sum += mass;
    mass = sum;
  }
  if (!(sum > 0 && std::isfinite(sum)))
    fail(ErrorKind::numeric, "density", "has no finite mass on its domain");
  const double scale = 1 / sum;
  grid_kernels<double>().scale(below_.data(), scale, std::ssize(below_));
  below_.back() = 1;
  grid_kernels<T>().scale(g.data(), static_cast<T>(scale), std::ssize(g));
}

template <typename T>
template <typename Use>
void EnergyTablesOf<T>::with_density(std::int64_t curve, Use use) {
  const std::size_t n = grid_->points().size();
  const std::span<T> row = std::span(density_).subspan(at(curve) * n, n);
  const T shift = grid_kernels<T>().largest(row.data(), std::ssize(row));
  exponentiate(row, shift);
  under_name([&] { return curves_.form().name(curves_.feature(), curve); },
             [&] {
               normalise(row);
               use(row);
             });
}

template <typename T>
void EnergyTablesOf<T>::draw(std::int64_t curve, std::span<const double> u, std::span<double> z,
                             std::span<double> slopes) {
  with_density(curve, [&](std::span<T> p) {
    if (method_ == Inversion::hermite)
      return sampler_.draw(HermiteSampler::Table<T>{*grid_, p, below_}, u, z, slopes);
    const InverseCdf inverse(energy_density(curves_.values(), curves_.feature(), curve),
                             {.method = method_, .nodes = curves_.form().nodes});
    inverse.quantiles(u, z);
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = inverse.slope(u[i]);
  });
}

template <typename T>
void EnergyTablesOf<T>::masses_below(std::int64_t curve, std::span<const double> z,
                                     std::span<double> below) {
  with_density(curve, [&](std::span<T> p) {
    shares_.assign(z.size(), 1);
    grid_->parts(z, shares_, parts_);
    for (std::size_t s = 0; s < z.size(); ++s) {
      const auto cell = static_cast<std::size_t>(parts_.cells[s]);
      const T* const here = &p[static_cast<std::size_t>(grid_->first_points()[cell])];
      below[s] = below_[cell];
      for (std::size_t i = 0; i < 3; ++i)
        below[s] += parts_.weights[i][s] * static_cast<double>(here[i]);
    }
  });
}

// weights_j = p_j sum_s share_s (u_s W_j - w_j(z_s)): W integrates to the end, w(z) up to z. What
// lies in whole cells below a sample is gathered by suffix sums.
template <typename T>
void EnergyTablesOf<T>::weigh(std::span<const T> p, std::span<const double> u,
                              std::span<const double> z, std::span<T> weights) {
  sum_.assign(weights.size(), 0);
  passed_.assign(grid_->cells(), 0);
  grid_->parts(z, shares_, parts_);
  double total = 0;
  for (std::size_t s = 0; s < z.size(); ++s) {
    const auto cell = static_cast<std::size_t>(parts_.cells[s]);
    double* const here = &sum_[static_cast<std::size_t>(grid_->first_points()[cell])];
    for (std::size_t i = 0; i < 3; ++i) here[i] -= parts_.weights[i][s];
    passed_[cell] += shares_[s];
    total += shares_[s] * u[s];
  }
  double beyond = 0;  // of samples in later cells
  for (std::size_t k = passed_.size(); k-- > 0;) {
    const double passed = passed_[k];
    passed_[k] = grid_->sixths()[k] * (total - beyond);
    beyond += passed;
  }
  grid_->spread(passed_, sum_);
  grid_kernels<T>().product(weights.data(), sum_.data(), p.data(), std::ssize(weights));
}

template <typename T>
void EnergyTablesOf<T>::add_pathwise_gradient(std::span<const double> u, std::span<const double> z,
                                              std::span<const double> slopes,
                                              std::span<const double> dz,
                                              EnergyGradient& gradient) {
  const std::size_t curves = at(curves_.count()), n = grid_->points().size();
  const std::size_t samples = z.size() / curves;
  weights_.resize(density_.size());
  shares_.resize(samples);
  for (std::size_t c = 0; c < curves; ++c) {
    for (std::size_t s = 0; s < samples; ++s)
      shares_[s] = dz[c * samples + s] * slopes[c * samples + s];
    weigh(std::span<const T>(density_).subspan(c * n, n),
          u.size() == z.size() ? u.subspan(c * samples, samples) : u,
          z.subspan(c * samples, samples), std::span(weights_).subspan(c * n, n));
  }
  curves_.add_gradient(points_, Points::common, weights_, gradient);
}

template class EnergyMomentsOf<float>;
template class EnergyMomentsOf<double>;
template class EnergyTablesOf<float>;
template class EnergyTablesOf<double>;

}  // namespace logpx
