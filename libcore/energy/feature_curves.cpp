#include "libcore/energy/feature_curves.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace logpx {
namespace {

constexpr double largest_energy = 1e5;
constexpr double nowhere = -std::numeric_limits<double>::infinity();
// Below, a lognormal has less than 1e-16 of its mass.
constexpr double least_lognormal = 2e-4;

struct Base {
  BaseMeasure measure;
  double mean = 0, log_sd = 0, inverse = std::exp(-log_sd);

  Base(const EnergyValues& values, std::size_t owner)
      : measure(values.form.base),
        mean(values.base_mean[owner]),
        log_sd(values.base_log_sd[owner]) {}

  [[nodiscard]] double log_density(double z) const {
    constexpr double half_log_two_pi = 0.91893853320467274178;
    switch (measure) {
      case BaseMeasure::none: break;
      case BaseMeasure::uniform: return z >= 0 && z <= 1 ? 0 : nowhere;
      case BaseMeasure::gaussian: return -z * z / 2 - half_log_two_pi;
      case BaseMeasure::lognormal: {
        if (!(z > 0)) return nowhere;
        const double log_z = std::log(z);
        return -log_z * log_z / 2 - log_z - half_log_two_pi;
      }
      case BaseMeasure::learnable_gaussian: {
        const double x = (z - mean) * inverse;
        return -x * x / 2 - log_sd - half_log_two_pi;
      }
    }
    return 0;
  }
  [[nodiscard]] double slope(double z) const {
    switch (measure) {
      case BaseMeasure::none:
      case BaseMeasure::uniform: break;
      case BaseMeasure::gaussian: return -z;
      case BaseMeasure::lognormal: return z > 0 ? -(std::log(z) + 1) / z : 0;
      case BaseMeasure::learnable_gaussian: return -(z - mean) * inverse * inverse;
    }
    return 0;
  }
};

}  // namespace

FeatureCurves::FeatureCurves(const EnergyValues& values, std::int64_t feature)
    : values_(&values), feature_(feature) {
  renew();
}

void FeatureCurves::renew() {
  const EnergyValues& v = *values_;
  const std::size_t width = at(v.functions), curves = at(count());
  folded_.assign(curves * (width + 1), 0);
  for (std::size_t c = 0; c < curves; ++c) {
    const std::size_t edge = at(feature_) * curves + c;
    if (v.mask[edge] != CurveMask::live) continue;
    double* const row = &folded_[c * (width + 1)];
    const double scale = form().has_w_spline() ? v.w_spline[edge] : 1;
    for (std::size_t k = 0; k < width; ++k) row[k] = scale * v.coef[edge * width + k];
    if (form().has_w_base()) row[width] = v.w_base[edge];
  }
}

void FeatureCurves::breaks(std::vector<double>& places) const {
  const double low = values_->low(feature_), high = values_->high(feature_);
  places.assign({low, high});
  const auto add = [&](double x) {
    if (x > low && x < high) places.push_back(x);
  };
  if (form().curves.basis == CurveBasis::bspline) {
    const std::int64_t size = grid_size(form().curves);
    for (std::int64_t j = 0; j < size; ++j) add(values_->grid[at(feature_ * size + j)]);
  }
  const Activation activation = form().activation;
  const bool kink = activation == Activation::relu || activation == Activation::leaky_relu;
  if ((kink && form().has_w_base()) || form().base == BaseMeasure::uniform) add(0);
  if (form().base == BaseMeasure::uniform) add(1);
  if (form().base == BaseMeasure::lognormal) {
    add(0);
    for (double x = high / 2; x > least_lognormal; x /= 2) add(x);
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

void FeatureCurves::set_points(std::span<const double> z, With with, CurvePoints& points) const {
  const EnergyValues& v = *values_;
  const std::size_t n = z.size(), row = at(v.functions) + 1;
  const std::int64_t size = grid_size(form().curves);
  points.z.assign(z.begin(), z.end());
  points.values.resize(n * row);
  points.slopes.resize(with == With::slopes ? n * row : 0);
  points.by_tau.resize(with == With::gradients && form().has_rho() ? n * row : 0);
  basis_values<double>(form().curves,
                       {.points = std::span(v.grid).subspan(at(feature_ * size), at(size)),
                        .spacing = (v.high(feature_) - v.low(feature_)) / form().curves.intervals,
                        .tau = std::exp(v.rho)},
                       z,
                       {.values = points.values,
                        .slopes = points.slopes,
                        .by_tau = points.by_tau,
                        .row_step = v.functions + 1});
  points.log_base.resize(n);
  const std::span<double> y = points.log_base;  // for a while
  const auto put = [&](std::span<const double> from, std::vector<double>& to) {
    for (std::size_t i = 0; i < n; ++i) to[(i + 1) * row - 1] = from.empty() ? 0 : from[i];
  };
  if (!points.by_tau.empty()) put({}, points.by_tau);
  if (form().has_w_base()) {
    activate(form().activation, z, y);
    put(y, points.values);
    if (with == With::slopes) {
      if (!derivative_from_result(form().activation)) std::ranges::copy(z, y.begin());
      const std::vector<double> ones(n, 1);
      activation_backward(form().activation, y, ones, y);
      put(y, points.slopes);
    }
  } else {
    put({}, points.values);
    if (with == With::slopes) put({}, points.slopes);
  }
  const Base base(v, 0);
  for (std::size_t i = 0; i < n; ++i) points.log_base[i] = base.log_density(z[i]);
}

// rows [n,K+1] or [C n,K+1]: out [C,n] = folded rows^T
void FeatureCurves::product(std::span<const double> rows, std::int64_t n, Points whose,
                            std::span<double> out) const {
  const std::int64_t width = values_->functions + 1;
  Gemm<double> call{.trans_b = Trans::yes,
                    .m = count(),
                    .n = n,
                    .k = width,
                    .a = folded_.data(),
                    .lda = width,
                    .b = rows.data(),
                    .ldb = width,
                    .c = out.data(),
                    .ldc = n};
  if (whose == Points::common) return gemm(call);
  call.m = 1;
  for (std::int64_t c = 0; c < count(); ++c) {
    gemm(call);
    call.a += width;
    call.b += n * width;
    call.c += n;
  }
}

// by_function_ [C,K+1] = weights [C,n] rows
void FeatureCurves::transposed_product(std::span<const double> rows, Points whose,
                                       std::span<const double> weights) {
  const std::int64_t width = values_->functions + 1, n = std::ssize(weights) / count();
  by_function_.resize(folded_.size());
  Gemm<double> call{.m = count(),
                    .n = width,
                    .k = n,
                    .a = weights.data(),
                    .lda = n,
                    .b = rows.data(),
                    .ldb = width,
                    .c = by_function_.data(),
                    .ldc = width};
  if (whose == Points::common) return gemm(call);
  call.m = 1;
  for (std::int64_t c = 0; c < count(); ++c) {
    gemm(call);
    call.a += n;
    call.b += n * width;
    call.c += width;
  }
}

void FeatureCurves::energies(const CurvePoints& points, Points whose, std::span<double> f) const {
  product(points.values, std::ssize(f) / count(), whose, f);
}

void FeatureCurves::add_log_base(const CurvePoints& points, Points whose,
                                 std::span<double> log_g) const {
  if (form().base == BaseMeasure::none) return;
  const std::size_t n = log_g.size() / at(count());
  const bool learnable = form().base == BaseMeasure::learnable_gaussian;
  for (std::size_t c = 0; c < at(count()); ++c) {
    const Base base(*values_, values_->owner(feature_, static_cast<std::int64_t>(c)));
    const std::size_t first = whose == Points::own ? c * n : 0;
    for (std::size_t i = 0; i < n; ++i)
      log_g[c * n + i] +=
          learnable ? base.log_density(points.z[first + i]) : points.log_base[first + i];
  }
}

void FeatureCurves::slopes(const CurvePoints& points, Points whose,
                           std::span<double> slopes) const {
  const std::size_t n = slopes.size() / at(count());
  product(points.slopes, static_cast<std::int64_t>(n), whose, slopes);
  if (form().base == BaseMeasure::none) return;
  for (std::size_t c = 0; c < at(count()); ++c) {
    const Base base(*values_, values_->owner(feature_, static_cast<std::int64_t>(c)));
    const double* const z = points.z.data() + (whose == Points::own ? c * n : 0);
    for (std::size_t i = 0; i < n; ++i) slopes[c * n + i] += base.slope(z[i]);
  }
}

void FeatureCurves::add_energy_gradient(const CurvePoints& points, Points whose,
                                        std::span<const double> weights, EnergyGradient& gradient) {
  const EnergyValues& v = *values_;
  const std::size_t width = at(v.functions), curves = at(count()), row = width + 1;
  transposed_product(points.values, whose, weights);
  for (std::size_t c = 0; c < curves; ++c) {
    const std::size_t edge = at(feature_) * curves + c;
    if (v.mask[edge] != CurveMask::live) continue;
    const double* const by = &by_function_[c * row];
    const double scale = form().has_w_spline() ? v.w_spline[edge] : 1;
    double of_scale = 0;
    for (std::size_t k = 0; k < width; ++k) {
      gradient.coef[edge * width + k] += scale * by[k];
      of_scale += v.coef[edge * width + k] * by[k];
    }
    gradient.w_spline[edge] += of_scale;
    gradient.w_base[edge] += by[width];
  }
  if (!form().has_rho()) return;
  transposed_product(points.by_tau, whose, weights);
  double by_tau = 0;
  for (std::size_t i = 0; i < folded_.size(); ++i) by_tau += folded_[i] * by_function_[i];
  gradient.rho[at(feature_)] += std::exp(v.rho) * by_tau;
}

void FeatureCurves::add_base_gradient(const CurvePoints& points, Points whose,
                                      std::span<const double> weights,
                                      EnergyGradient& gradient) const {
  if (form().base != BaseMeasure::learnable_gaussian) return;
  const std::size_t n = weights.size() / at(count());
  for (std::size_t c = 0; c < at(count()); ++c) {
    const std::size_t edge = at(feature_ * count()) + c;
    const Base base(*values_, values_->owner(feature_, static_cast<std::int64_t>(c)));
    const double* const z = points.z.data() + (whose == Points::own ? c * n : 0);
    double by_mean = 0, by_log_sd = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = (z[i] - base.mean) * base.inverse;
      by_mean += weights[c * n + i] * x * base.inverse;
      by_log_sd += weights[c * n + i] * (x * x - 1);
    }
    gradient.base_mean[edge] += by_mean;
    gradient.base_log_sd[edge] += by_log_sd;
  }
}

void FeatureCurves::require_moderate(std::span<const double> f) const {
  const std::size_t n = f.size() / at(count());
  for (std::int64_t c = 0; c < count(); ++c) {
    double sum = 0, largest = nowhere;
    for (const double value : f.subspan(at(c) * n, n)) {
      sum += value - value;  // NaN when one is not finite
      largest = std::max(largest, value);
    }
    if (std::isnan(sum))
      fail(ErrorKind::numeric, form().name(feature_, c), "its energy is not finite");
    if (largest > largest_energy)
      fail(ErrorKind::numeric, form().name(feature_, c),
           "its energy rises to " + four_digits(largest) + ", at most 1e5 is allowed");
  }
}

}  // namespace logpx
