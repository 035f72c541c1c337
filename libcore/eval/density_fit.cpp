#include "libcore/eval/density_fit.hpp"

#include "libcore/base/error.hpp"
#include "libcore/eval/log_weights.hpp"

#include <cmath>
#include <numbers>

namespace logpx {

FittedDensity::FittedDensity(std::span<const double> points, std::int64_t dims,
                             const FitOptions& options)
    : options_(options),
      dims_(static_cast<std::size_t>(dims)),
      points_(points.begin(), points.end()),
      mean_(dims_),
      factor_(dims_ * dims_) {
  const auto n = static_cast<double>(points.size() / dims_);
  for (std::size_t e = 0; e < points.size(); ++e) mean_[e % dims_] += points[e] / n;
  for (std::size_t first = 0; first < points.size(); first += dims_)
    for (std::size_t a = 0; a < dims_; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        if (a == b || options.kind != FitKind::diag)
          factor_[a * dims_ + b] +=
              (points[first + a] - mean_[a]) * (points[first + b] - mean_[b]) / n;
  const double width =
      options.kind == FitKind::kde ? std::pow(n, -2 / (static_cast<double>(dims_) + 4)) : 1;
  for (std::size_t a = 0; a < dims_; ++a) {
    factor_[a * dims_ + a] += options.ridge;
    for (std::size_t b = 0; b <= a; ++b) factor_[a * dims_ + b] *= options.shrink * width;
  }
  factorise();
}

void FittedDensity::factorise() {
  for (std::size_t a = 0; a < dims_; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double rest = factor_[a * dims_ + b];
      for (std::size_t k = 0; k < b; ++k) rest -= factor_[a * dims_ + k] * factor_[b * dims_ + k];
      if (a == b && !(rest > 0))
        fail(ErrorKind::numeric, "--fit", "the samples have no positive covariance",
             "--fit diag, or more --fit-samples");
      factor_[a * dims_ + b] = a == b ? std::sqrt(rest) : rest / factor_[b * dims_ + b];
    }
}

double FittedDensity::log_normal(std::span<const double> z, std::span<const double> centre) const {
  std::vector<double> u(dims_);
  double sum = 0;
  for (std::size_t a = 0; a < dims_; ++a) {
    double rest = z[a] - centre[a];
    for (std::size_t k = 0; k < a; ++k) rest -= factor_[a * dims_ + k] * u[k];
    u[a] = rest / factor_[a * dims_ + a];
    sum += std::log(2 * std::numbers::pi) + 2 * std::log(factor_[a * dims_ + a]) + u[a] * u[a];
  }
  return -sum / 2;
}

double FittedDensity::log_density(std::span<const double> z) const {
  if (options_.kind != FitKind::kde) return log_normal(z, mean_);
  LogWeights kernels;
  for (std::size_t first = 0; first < points_.size(); first += dims_)
    kernels.add(log_normal(z, std::span(points_).subspan(first, dims_)));
  return kernels.log_mean();
}

}  // namespace logpx
