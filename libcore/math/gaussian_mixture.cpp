#include "libcore/math/gaussian_mixture.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/det/reductions.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr double log_root_two_pi = 0.91893853320467274178;
constexpr std::int64_t points_at_once = 64;
constexpr double least_deviation = 1e-6, largest_number = 1e6;

std::vector<double> doubles(std::span<const float> values) {
  return {values.begin(), values.end()};
}

bool is_usable(float value) { return std::abs(static_cast<double>(value)) <= largest_number; }

// Where the deviation of dimension j stands among a component's scales.
std::int64_t diagonal(const MixtureForm& form, std::int64_t j) {
  return form.covariance == Covariance::full ? j * form.dims + j : j;
}

std::string fault_of_component(const MixtureForm& form, std::span<const float> mean,
                               std::span<const float> factor) {
  if (!std::ranges::all_of(mean, is_usable)) return "a mean that is not a usable number";
  if (!std::ranges::all_of(factor, is_usable)) return "a factor that is not a usable number";
  for (std::int64_t j = 0; j < form.dims; ++j) {
    if (static_cast<double>(factor[at(diagonal(form, j))]) < least_deviation)
      return "a deviation below 1e-6";
    if (form.covariance == Covariance::diagonal) continue;
    const auto above = factor.subspan(at(diagonal(form, j) + 1), at(form.dims - j - 1));
    if (!std::ranges::all_of(above, [](float value) { return value == 0; }))
      return "a factor that is no lower triangle";
  }
  return "";
}

}  // namespace

std::string mixture_fault(const MixtureForm& form, const MixtureNumbers<const float>& numbers) {
  double sum = 0;
  for (std::int64_t k = 0; k < form.components; ++k) {
    const auto weight = static_cast<double>(numbers.weights[at(k)]);
    if (!(weight >= 0 && weight <= 2)) return "has a weight that is not between 0 and 1";
    sum += weight;
    if (weight == 0) continue;
    const std::string fault =
        fault_of_component(form, numbers.means.subspan(at(k * form.dims), at(form.dims)),
                           numbers.factors.subspan(at(k * form.scales()), at(form.scales())));
    if (!fault.empty()) return "has " + fault;
  }
  if (std::abs(sum - 1) > 1e-3) return "has weights that do not sum to 1";
  return "";
}

GaussianMixture::GaussianMixture(const MixtureForm& form,
                                 const MixtureNumbers<const float>& numbers)
    : form_(form),
      weights_(doubles(numbers.weights)),
      log_scales_(at(form.components), minus_infinity),
      means_(doubles(numbers.means)),
      factors_(doubles(numbers.factors)),
      inverses_(at(form.components * form.scales())),
      offsets_(at(form.components * form.dims)) {
  double sum = 0;
  for (const double weight : weights_) sum += weight;
  double reached = 0;
  for (double& weight : weights_) {
    weight /= sum;
    cumulative_.push_back(reached += weight);
  }
  for (std::int64_t k = 0; k < form.components; ++k)
    if (weights_[at(k)] > 0) invert(k);
}

// Column by column of the inverse X: L X = I.
void GaussianMixture::invert(std::int64_t k) {
  const std::int64_t dims = form_.dims;
  const std::span factor = std::span(factors_).subspan(at(k * form_.scales()), at(form_.scales()));
  const std::span inverse =
      std::span(inverses_).subspan(at(k * form_.scales()), at(form_.scales()));
  const std::span mean = std::span(means_).subspan(at(k * dims), at(dims));
  double log_scale = det_log(weights_[at(k)]) - static_cast<double>(dims) * log_root_two_pi;
  for (std::int64_t j = 0; j < dims; ++j) log_scale -= det_log(factor[at(diagonal(form_, j))]);
  log_scales_[at(k)] = log_scale;
  for (std::int64_t j = 0; j < dims; ++j)
    inverse[at(diagonal(form_, j))] = 1 / factor[at(diagonal(form_, j))];
  if (form_.covariance == Covariance::full)
    for (std::int64_t j = 0; j < dims; ++j)
      for (std::int64_t i = j + 1; i < dims; ++i) {
        double above = 0;
        for (std::int64_t l = j; l < i; ++l)
          above += factor[at(i * dims + l)] * inverse[at(l * dims + j)];
        inverse[at(i * dims + j)] = -above * inverse[at(i * dims + i)];
      }
  for (std::int64_t i = 0; i < dims; ++i) {
    double offset = 0;
    if (form_.covariance == Covariance::diagonal) offset = inverse[at(i)] * mean[at(i)];
    else
      for (std::int64_t j = 0; j <= i; ++j) offset += inverse[at(i * dims + j)] * mean[at(j)];
    offsets_[at(k * dims + i)] = offset;
  }
}

void GaussianMixture::whiten(std::span<const double> z, std::span<double> y) const {
  const std::int64_t dims = form_.dims, width = form_.components * dims;
  const std::int64_t rows = std::ssize(z) / dims;
  if (form_.covariance == Covariance::full) {
    gemm(Gemm<double>{.trans_b = Trans::yes,
                      .m = rows,
                      .n = width,
                      .k = dims,
                      .a = z.data(),
                      .lda = dims,
                      .b = inverses_.data(),
                      .ldb = dims,
                      .c = y.data(),
                      .ldc = width,
                      .beta = 0});
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t e = 0; e < width; ++e) y[at(i * width + e)] -= offsets_[at(e)];
    return;
  }
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < form_.components; ++k)
      for (std::int64_t j = 0; j < dims; ++j)
        y[at(i * width + k * dims + j)] =
            z[at(i * dims + j)] * inverses_[at(k * dims + j)] - offsets_[at(k * dims + j)];
}

namespace {

// A decoder adds these up, too, so the order is fixed: four running sums.
double half_length(std::span<const double> y) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= y.size(); i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += y[i + lane] * y[i + lane];
  for (; i < y.size(); ++i) sums[i % 4] += y[i] * y[i];
  return 0.5 * ((sums[0] + sums[2]) + (sums[1] + sums[3]));
}

}  // namespace

void GaussianMixture::log_joint(std::span<const double> z, std::span<double> nats) const {
  const std::int64_t dims = form_.dims, components = form_.components;
  const std::int64_t rows = std::ssize(z) / dims;
  std::vector<double> y(at(std::min(rows, points_at_once) * components * dims));
  for (std::int64_t first = 0; first < rows; first += points_at_once) {
    const std::int64_t count = std::min(points_at_once, rows - first);
    whiten(z.subspan(at(first * dims), at(count * dims)), y);
    for (std::int64_t e = 0; e < count * components; ++e)
      nats[at(first * components + e)] = log_scales_[at(e % components)] -
                                         half_length(std::span(y).subspan(at(e * dims), at(dims)));
  }
}

void GaussianMixture::log_density(std::span<const double> z, std::span<double> nats,
                                  std::span<double> slopes) const {
  const std::int64_t dims = form_.dims, components = form_.components;
  const std::int64_t rows = std::ssize(z) / dims, most = std::min(rows, points_at_once);
  std::vector<double> y(at(most * components * dims)), joint(at(most * components));
  for (std::int64_t first = 0; first < rows; first += points_at_once) {
    const std::int64_t count = std::min(points_at_once, rows - first);
    whiten(z.subspan(at(first * dims), at(count * dims)), y);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::span row = std::span(joint).subspan(at(i * components), at(components));
      for (std::int64_t k = 0; k < components; ++k)
        row[at(k)] = log_scales_[at(k)] -
                     half_length(std::span(y).subspan(at((i * components + k) * dims), at(dims)));
      nats[at(first + i)] = det::log_sum_exp(row);
      if (!slopes.empty()) det::softmax(row, row);
    }
    if (!slopes.empty())
      add_slopes(std::span(joint).first(at(count * components)), y,
                 slopes.subspan(at(first * dims), at(count * dims)));
  }
}

// - sum_k share_k L_k^-T y_k; uses y up.
void GaussianMixture::add_slopes(std::span<const double> shares, std::span<double> y,
                                 std::span<double> slopes) const {
  const std::int64_t dims = form_.dims, width = form_.components * dims;
  for (std::size_t e = 0; e < shares.size(); ++e)
    for (double& value : y.subspan(e * at(dims), at(dims))) value *= -shares[e];
  const std::int64_t rows = std::ssize(slopes) / dims;
  if (form_.covariance == Covariance::full)
    return gemm(Gemm<double>{.m = rows,
                             .n = dims,
                             .k = width,
                             .a = y.data(),
                             .lda = width,
                             .b = inverses_.data(),
                             .ldb = dims,
                             .c = slopes.data(),
                             .ldc = dims,
                             .beta = 0});
  std::ranges::fill(slopes, 0);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t e = 0; e < width; ++e)
      slopes[at(i * dims + e % dims)] += y[at(i * width + e)] * inverses_[at(e)];
}

GaussianMixture::Normal GaussianMixture::next(std::int64_t k,
                                              std::span<const double> before) const {
  const std::int64_t dims = form_.dims, j = std::ssize(before);
  const double mean = means_[at(k * dims + j)];
  const double deviation = factors_[at(k * form_.scales() + diagonal(form_, j))];
  if (form_.covariance == Covariance::diagonal) return {mean, deviation};
  const double* const row = inverses_.data() + k * dims * dims + j * dims;
  double pull = 0;
  for (std::int64_t i = 0; i < j; ++i) pull += row[i] * (before[at(i)] - means_[at(k * dims + i)]);
  return {mean - pull * deviation, deviation};
}

GaussianMixture::Normal GaussianMixture::marginal(std::int64_t j) const {
  const std::int64_t dims = form_.dims;
  double mean = 0, square = 0;
  for (std::int64_t k = 0; k < form_.components; ++k)
    mean += weights_[at(k)] * means_[at(k * dims + j)];
  for (std::int64_t k = 0; k < form_.components; ++k) {
    if (weights_[at(k)] == 0) continue;
    const double off = means_[at(k * dims + j)] - mean;
    double variance = 0;
    if (form_.covariance == Covariance::diagonal) {
      const double deviation = factors_[at(k * dims + j)];
      variance = deviation * deviation;
    } else {
      for (std::int64_t i = 0; i <= j; ++i) {
        const double part = factors_[at(k * dims * dims + j * dims + i)];
        variance += part * part;
      }
    }
    square += weights_[at(k)] * (variance + off * off);
  }
  return {mean, std::sqrt(square)};
}

void GaussianMixture::draw(double u, std::span<const double> noise, std::span<double> z) const {
  const std::int64_t dims = form_.dims;
  const auto k = static_cast<std::int64_t>(category_of(cumulative_, u));
  const double* const factor = factors_.data() + k * form_.scales();
  for (std::int64_t j = dims; j-- > 0;) {  // backwards: z may be the noise
    double value = means_[at(k * dims + j)];
    if (form_.covariance == Covariance::diagonal) value += factor[j] * noise[at(j)];
    else
      for (std::int64_t i = 0; i <= j; ++i) value += factor[j * dims + i] * noise[at(i)];
    z[at(j)] = value;
  }
}

}  // namespace logpx
