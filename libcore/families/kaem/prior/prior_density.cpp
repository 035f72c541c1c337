#include "libcore/families/kaem/prior/prior_density.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::kaem {
namespace {

constexpr double nowhere = -1e4;  // whose exp is 0

}  // namespace

PriorDensity::PriorDensity(const PriorValues& values, std::span<const double> log_z)
    : values_(&values) {
  for (std::int64_t i = 0; i < values.form.features(); ++i)
    features_.emplace_back(values.energies, i);
  renew(log_z);
}

void PriorDensity::renew(std::span<const double> log_z) {
  const PriorForm& form = values_->form;
  LOGPX_ASSERT(std::ssize(log_z) == form.n_q * form.n_p);
  shift_.resize(log_z.size());
  for (FeatureCurves<double>& curves : features_) curves.renew();
  if (form.is_mixture())
    for (std::int64_t q = 0; q < form.n_q; ++q)
      values_->weights(q, std::span(shift_).subspan(at(q * form.n_p), at(form.n_p)));
  for (std::size_t i = 0; i < shift_.size(); ++i)
    shift_[i] = (form.is_mixture() ? repeatable_log(shift_[i]) : 0) - log_z[i];
}

void PriorDensity::operator()(std::span<const double> z, std::span<double> log_p,
                              std::span<double> gradient) {
  const PriorForm& form = values_->form;
  const std::size_t n = log_p.size(), width = at(form.z_dims());
  LOGPX_ASSERT(z.size() == n * width && gradient.size() == z.size());
  std::ranges::fill(log_p, 0);
  for (const FeatureCurves<double>& curves : features_) {
    const std::size_t count = at(curves.count()), feature = at(curves.feature());
    z_.resize(form.is_mixture() ? n : count * n);
    for (std::size_t k = 0; k < z_.size(); ++k) {
      const std::size_t i = k % n;
      z_[k] = z[i * width + (form.is_mixture() ? feature : k / n * at(form.n_p) + feature)];
    }
    const Points whose = form.is_mixture() ? Points::common : Points::own;
    f_.resize(count * n);
    slopes_.resize(count * n);
    curves.set_points(z_, With::slopes, points_);
    curves.energies(points_, whose, f_);
    curves.add_log_base(points_, whose, f_);
    curves.slopes(points_, whose, slopes_);
    if (form.is_mixture()) add_mixture(feature, log_p, gradient);
    else add_components(feature, log_p, gradient);
  }
}

void PriorDensity::add_components(std::size_t p, std::span<double> log_p,
                                  std::span<double> gradient) const {
  const std::size_t n = log_p.size(), n_p = at(values_->form.n_p), count = f_.size() / n;
  const std::size_t width = at(values_->form.z_dims());
  for (std::size_t k = 0; k < f_.size(); ++k) {
    const std::size_t q = k / n, i = k % n;
    log_p[i] += f_[k] + shift_[p * count + q];
    gradient[i * width + q * n_p + p] = slopes_[k];
  }
}

// f_ becomes the terms of log_sum_exp, and then the shares of components, for all samples at once.
void PriorDensity::add_mixture(std::size_t q, std::span<double> log_p, std::span<double> gradient) {
  const std::size_t n = log_p.size(), count = f_.size() / n, width = at(values_->form.z_dims());
  const auto of_component = [n](std::vector<double>& all, std::size_t p) {
    return std::span(all).subspan(p * n, n);
  };
  largest_.assign(n, -std::numeric_limits<double>::infinity());
  for (std::size_t p = 0; p < count; ++p) {
    const std::span<double> terms = of_component(f_, p);
    for (std::size_t i = 0; i < n; ++i) {
      terms[i] += shift_[q * count + p];
      largest_[i] = std::max(largest_[i], terms[i]);
    }
  }
  // Where no component has mass, or one is without bounds, there are no shares.
  for (std::size_t p = 0; p < count; ++p) {
    const std::span<double> terms = of_component(f_, p);
    for (std::size_t i = 0; i < n; ++i)
      terms[i] = std::isfinite(largest_[i]) ? terms[i] - largest_[i] : nowhere;
  }
  det::exp(f_, f_);
  sums_.assign(2 * n, 0);
  for (std::size_t p = 0; p < count; ++p) {
    const std::span<double> shares = of_component(f_, p), slopes = of_component(slopes_, p);
    for (std::size_t i = 0; i < n; ++i) {
      sums_[i] += shares[i];
      sums_[n + i] += shares[i] * slopes[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    log_p[i] += largest_[i] + repeatable_log(sums_[i]);
    gradient[i * width + q] = sums_[i] > 0 ? sums_[n + i] / sums_[i] : 0;
  }
}

Box prior_box(const PriorValues& values) {
  const PriorForm& form = values.form;
  const BaseMeasure base = form.energies.base;
  Box box;
  for (std::int64_t d = 0; d < form.z_dims(); ++d) {
    const std::int64_t feature = form.is_mixture() ? d : d % form.n_p;
    const bool unit = base == BaseMeasure::uniform;
    const double low = values.energies.low(feature), high = values.energies.high(feature);
    box.low.push_back(unit || base == BaseMeasure::lognormal ? std::max(low, 0.0) : low);
    box.high.push_back(unit ? std::min(high, 1.0) : high);
  }
  return box;
}

}  // namespace logpx::kaem
