#include "libcore/energy/feature_curves.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/det/reductions.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/hermite_grid.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace logpx {
namespace {

constexpr double largest_energy = 1e5;
constexpr double nowhere = -std::numeric_limits<double>::infinity();
// Below, a lognormal has less than 1e-16 of its mass.
constexpr double least_lognormal = 2e-4;

// Several sums at once, which a compiler can keep side by side.
template <typename T>
bool all_finite(std::span<const T> x) {
  constexpr std::size_t abreast = 16;
  std::array<T, abreast> zero{};
  const std::size_t whole = x.size() / abreast * abreast;
  for (std::size_t i = 0; i < whole; i += abreast)
    for (std::size_t lane = 0; lane < abreast; ++lane) zero[lane] += x[i + lane] - x[i + lane];
  for (std::size_t i = whole; i < x.size(); ++i) zero[i - whole] += x[i] - x[i];
  return std::ranges::all_of(zero, [](T value) { return value == 0; });
}

struct Base {
  BaseMeasure measure;
  double mean = 0, log_sd = 0, inverse = det_exp(-log_sd);

  Base(const EnergyValues& values, std::size_t owner)
      : measure(values.form.base),
        mean(values.base_mean[owner]),
        log_sd(values.base_log_sd[owner]) {}

  [[nodiscard]] double log_density(double z) const {
    constexpr double log_root_two_pi = 0.91893853320467274178;
    switch (measure) {
      case BaseMeasure::none: break;
      case BaseMeasure::uniform: return z >= 0 && z <= 1 ? 0 : nowhere;
      case BaseMeasure::gaussian: return -z * z / 2 - log_root_two_pi;
      case BaseMeasure::lognormal: {
        if (!(z > 0)) return nowhere;
        const double log_z = det_log(z);
        return -log_z * log_z / 2 - log_z - log_root_two_pi;
      }
      case BaseMeasure::learnable_gaussian: {
        const double x = (z - mean) * inverse;
        return -x * x / 2 - log_sd - log_root_two_pi;
      }
    }
    return 0;
  }
  [[nodiscard]] double slope(double z) const {
    switch (measure) {
      case BaseMeasure::none:
      case BaseMeasure::uniform: break;
      case BaseMeasure::gaussian: return -z;
      case BaseMeasure::lognormal: return z > 0 ? -(det_log(z) + 1) / z : 0;
      case BaseMeasure::learnable_gaussian: return -(z - mean) * inverse * inverse;
    }
    return 0;
  }
};

}  // namespace

template <typename T>
FeatureCurves<T>::FeatureCurves(const EnergyValues& values, std::int64_t feature)
    : values_(&values), feature_(feature) {
  renew();
}

template <typename T>
void FeatureCurves<T>::renew() {
  const EnergyValues& v = *values_;
  const std::size_t width = at(v.functions), curves = at(count());
  folded_.assign(curves * (width + 1), 0);
  for (std::size_t c = 0; c < curves; ++c) {
    const std::size_t edge = at(feature_) * curves + c;
    if (!v.is_curve(edge)) continue;
    T* const row = &folded_[c * (width + 1)];
    const double scale = form().has_w_spline() ? v.w_spline[edge] : 1;
    for (std::size_t k = 0; k < width; ++k)
      row[k] = static_cast<T>(scale * v.coef[edge * width + k]);
    if (form().has_w_base()) row[width] = static_cast<T>(v.w_base[edge]);
  }
}

template <typename T>
void FeatureCurves<T>::breaks(std::vector<double>& places) const {
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
  // The second derivative of elu jumps.
  const bool kink = activation == Activation::relu || activation == Activation::leaky_relu ||
                    activation == Activation::elu;
  if ((kink && form().has_w_base()) || form().base == BaseMeasure::uniform) add(0);
  if (form().base == BaseMeasure::uniform) add(1);
  if (form().base == BaseMeasure::lognormal) {
    add(0);
    for (double x = high / 2; x > least_lognormal; x /= 2) add(x);
  }
  for (std::int64_t c = 0; c < count(); ++c)
    if (const Formula* const formula = values_->formula(at(feature_ * count() + c)))
      if (const std::optional<double> place = kink_of(*formula)) add(*place);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

template <typename T>
void FeatureCurves<T>::set_points(std::span<const double> z, With with,
                                  CurvePoints<T>& points) const {
  const EnergyValues& v = *values_;
  const std::size_t n = z.size(), width = at(v.functions) + 1, size = at(grid_size(form().curves));
  const bool by_tau = with == With::gradients && form().has_rho();
  points.stride = v.functions + 1 + (by_tau ? v.functions : 0);
  points.z.assign(z.begin(), z.end());
  points.values.resize(n * at(points.stride));
  points.slopes.resize(with == With::slopes ? points.values.size() : 0);
  points.line.resize(std::max({2 * n, n + size}));
  // z and the grid as T
  const std::span<T> x = std::span(points.line).first(n);
  const std::span<T> grid = std::span(points.line).subspan(n, size);
  const auto narrow = [](double value) { return static_cast<T>(value); };
  std::ranges::transform(z, x.begin(), narrow);
  std::transform(v.grid.begin() + feature_ * std::ssize(grid),
                 v.grid.begin() + (feature_ + 1) * std::ssize(grid), grid.begin(), narrow);
  basis_values<T>(
      form().curves,
      {.points = grid,
       .spacing = narrow((v.high(feature_) - v.low(feature_)) / form().curves.intervals),
       .tau = narrow(det_exp(v.rho))},
      x,
      {.values = points.values,
       .slopes = points.slopes,
       .by_tau = by_tau ? std::span(points.values).subspan(width) : std::span<T>(),
       .row_step = points.stride});
  set_activation(with, points);
  const Base base(v, 0);
  points.log_base.resize(n);
  for (std::size_t i = 0; i < n; ++i) points.log_base[i] = narrow(base.log_density(z[i]));
}

// Column K of values and slopes; points.line begins with z.
template <typename T>
void FeatureCurves<T>::set_activation(With with, CurvePoints<T>& points) const {
  const std::size_t n = points.z.size(), stride = at(points.stride);
  const std::span<T> x = std::span(points.line).first(n), y = std::span(points.line).subspan(n, n);
  const auto put = [&](std::vector<T>& to) {
    for (std::size_t i = 0; i < n; ++i) to[i * stride + at(values_->functions)] = y[i];
  };
  std::ranges::fill(y, T(0));
  if (!form().has_w_base()) {
    put(points.values);
    if (with == With::slopes) put(points.slopes);
    return;
  }
  activate(form().activation, x, y);
  put(points.values);
  if (with != With::slopes) return;
  if (derivative_from_result(form().activation)) std::ranges::copy(y, x.begin());
  std::ranges::fill(y, T(1));
  activation_backward(form().activation, x, y, y);
  put(points.slopes);
}

// rows [n,stride] or [C n,stride]: out [C,n] = folded rows^T
template <typename T>
void FeatureCurves<T>::product(std::span<const T> rows, std::int64_t stride, Points whose,
                               std::span<T> out) const {
  const std::int64_t width = values_->functions + 1, n = std::ssize(out) / count();
  Gemm<T> call{.trans_b = Trans::yes,
               .m = count(),
               .n = n,
               .k = width,
               .a = folded_.data(),
               .lda = width,
               .b = rows.data(),
               .ldb = stride,
               .c = out.data(),
               .ldc = n};
  if (whose == Points::common) return gemm(call);
  call.m = 1;
  for (std::int64_t c = 0; c < count(); ++c) {
    gemm(call);
    call.a += width;
    call.b += n * stride;
    call.c += n;
  }
}

template <typename T>
void FeatureCurves<T>::put_formulas(const CurvePoints<T>& points, Points whose, With what,
                                    std::span<T> out) const {
  if (values_->formulas.empty()) return;
  const std::size_t n = out.size() / at(count());
  std::vector<double> values(n), slopes(n);
  for (std::size_t c = 0; c < at(count()); ++c) {
    const Formula* const formula = values_->formula(at(feature_ * count()) + c);
    if (formula == nullptr) continue;
    const auto z = std::span(points.z).subspan(whose == Points::own ? c * n : 0, n);
    if (what == With::values) evaluate(*formula, z, values);
    else evaluate(*formula, z, values, slopes);
    std::ranges::transform(what == With::values ? values : slopes,
                           out.begin() + std::ptrdiff_t(c * n),
                           [](double value) { return static_cast<T>(value); });
  }
}

template <typename T>
void FeatureCurves<T>::energies(const CurvePoints<T>& points, Points whose, std::span<T> f) const {
  product(points.values, points.stride, whose, f);
  put_formulas(points, whose, With::values, f);
}

template <typename T>
void FeatureCurves<T>::add_log_base(const CurvePoints<T>& points, Points whose,
                                    std::span<T> log_g) const {
  if (form().base == BaseMeasure::none) return;
  const std::size_t n = log_g.size() / at(count());
  const bool learnable = form().base == BaseMeasure::learnable_gaussian;
  for (std::size_t c = 0; c < at(count()); ++c) {
    const Base base(*values_, values_->owner(feature_, static_cast<std::int64_t>(c)));
    const std::size_t first = whose == Points::own ? c * n : 0;
    T* const row = &log_g[c * n];
    if (learnable)
      for (std::size_t i = 0; i < n; ++i)
        row[i] += static_cast<T>(base.log_density(points.z[first + i]));
    else grid_kernels<T>().add(row, &points.log_base[first], static_cast<std::int64_t>(n));
  }
}

template <typename T>
void FeatureCurves<T>::slopes(const CurvePoints<T>& points, Points whose,
                              std::span<T> slopes) const {
  const std::size_t n = slopes.size() / at(count());
  product(points.slopes, points.stride, whose, slopes);
  put_formulas(points, whose, With::slopes, slopes);
  if (form().base == BaseMeasure::none) return;
  for (std::size_t c = 0; c < at(count()); ++c) {
    const Base base(*values_, values_->owner(feature_, static_cast<std::int64_t>(c)));
    const double* const z = points.z.data() + (whose == Points::own ? c * n : 0);
    for (std::size_t i = 0; i < n; ++i) slopes[c * n + i] += static_cast<T>(base.slope(z[i]));
  }
}

template <typename T>
void FeatureCurves<T>::add_energy_gradient(const CurvePoints<T>& points, Points whose,
                                           std::span<const T> weights, EnergyGradient& gradient) {
  const EnergyValues& v = *values_;
  const std::int64_t n = std::ssize(weights) / count();
  const std::size_t width = at(v.functions), curves = at(count()), stride = at(points.stride);
  by_function_.resize(curves * stride);
  Gemm<T> call{.m = count(),
               .n = points.stride,
               .k = n,
               .a = weights.data(),
               .lda = n,
               .b = points.values.data(),
               .ldb = points.stride,
               .c = by_function_.data(),
               .ldc = points.stride};
  if (whose == Points::own) call.m = 1;
  for (std::int64_t c = 0; c < count(); c += call.m) {
    gemm(call);
    call.a += n;
    call.b += n * points.stride;
    call.c += points.stride;
  }
  double by_tau = 0;
  for (std::size_t c = 0; c < curves; ++c) {
    const std::size_t edge = at(feature_) * curves + c;
    if (!v.is_curve(edge)) continue;
    const T* const by = &by_function_[c * stride];
    const double scale = form().has_w_spline() ? v.w_spline[edge] : 1;
    double of_scale = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const auto each = static_cast<double>(by[k]), coef = v.coef[edge * width + k];
      gradient.coef[edge * width + k] += scale * each;
      of_scale += coef * each;
      if (stride > width + 1) by_tau += scale * coef * static_cast<double>(by[width + 1 + k]);
    }
    gradient.w_spline[edge] += of_scale;
    gradient.w_base[edge] += static_cast<double>(by[width]);
  }
  gradient.rho[at(feature_)] += det_exp(v.rho) * by_tau;
}

template <typename T>
void FeatureCurves<T>::add_base_gradient(const CurvePoints<T>& points, Points whose,
                                         std::span<const T> weights,
                                         EnergyGradient& gradient) const {
  if (form().base != BaseMeasure::learnable_gaussian) return;
  const std::size_t n = weights.size() / at(count());
  for (std::size_t c = 0; c < at(count()); ++c) {
    const std::size_t edge = at(feature_ * count()) + c;
    const Base base(*values_, values_->owner(feature_, static_cast<std::int64_t>(c)));
    const double* const z = points.z.data() + (whose == Points::own ? c * n : 0);
    for (std::size_t i = 0; i < n; ++i) {
      const double x = (z[i] - base.mean) * base.inverse;
      const auto weight = static_cast<double>(weights[c * n + i]);
      gradient.base_mean[edge] += weight * x * base.inverse;
      gradient.base_log_sd[edge] += weight * (x * x - 1);
    }
  }
}

template <typename T>
void FeatureCurves<T>::require_moderate(std::span<const T> f) const {
  const std::size_t n = f.size() / at(count());
  for (std::int64_t c = 0; c < count(); ++c) {
    const std::span<const T> row = f.subspan(at(c) * n, n);
    const T largest = det::largest_of(row);
    if (!all_finite(row))
      fail(ErrorKind::numeric, form().name(feature_, c), "its energy is not finite");
    if (static_cast<double>(largest) > largest_energy)
      fail(ErrorKind::numeric, form().name(feature_, c),
           "its energy rises to " + four_digits(static_cast<double>(largest)) +
               ", at most 1e5 is allowed");
  }
}

template class FeatureCurves<float>;
template class FeatureCurves<double>;

}  // namespace logpx
