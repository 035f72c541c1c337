#include "libcore/model/axis_reading.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/principal_axes.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

AxisReading::AxisReading(std::int64_t dims, std::int64_t axes, AxisScale scale)
    : scale_(scale), mean_({dims}), components_({axes, dims}), variances_({axes}) {}

std::int64_t AxisReading::bytes_to_fit(std::int64_t rows) const {
  const std::int64_t size = std::min(rows, dims());
  return (2 * rows * dims() + 4 * size * size) * static_cast<std::int64_t>(sizeof(double));
}

void AxisReading::fit(std::span<const double> rows) {
  const std::int64_t count = std::ssize(rows) / dims(), most = std::min(count - 1, dims());
  if (axes() > most)
    fail(ErrorKind::usage, "--pca",
         "is " + std::to_string(axes()) + ", but " + std::to_string(count) + " rows of " +
             std::to_string(dims()) + " numbers have at most " + std::to_string(most) + " axes");
  const PrincipalAxes found = principal_axes(rows, {count, dims()}, axes());
  std::ranges::copy(found.mean, mean_.data());
  std::ranges::copy(found.components, components_.data());
  std::ranges::copy(found.variances, variances_.data());
  const double last = found.variances.back();
  if (scale_ == AxisScale::whitened && !(last > 1e-12 * found.variances.front()))
    fail(ErrorKind::data, "--whiten",
         "the data do not vary along axis " + std::to_string(axes() - 1), "a smaller --pca");
}

double AxisReading::size_of(std::int64_t axis) const {
  return scale_ == AxisScale::whitened ? std::sqrt(variances_[axis]) : 1;
}

void AxisReading::scores(std::span<const float> x, std::span<float> y) const {
  for (std::int64_t k = 0; k < axes(); ++k) {
    const double* const axis = components_.data() + k * dims();
    double sum = 0;
    for (std::int64_t d = 0; d < dims(); ++d)
      sum += (static_cast<double>(x[at(d)]) - mean_[d]) * axis[d];
    y[at(k)] = static_cast<float>(sum / size_of(k));
  }
}

void AxisReading::point(std::span<const float> y, std::span<float> x) const {
  std::vector<double> sums(mean_.span().begin(), mean_.span().end());
  for (std::int64_t k = 0; k < axes(); ++k) {
    const double* const axis = components_.data() + k * dims();
    const double score = static_cast<double>(y[at(k)]) * size_of(k);
    for (std::int64_t d = 0; d < dims(); ++d) sums[at(d)] += score * axis[d];
  }
  std::ranges::transform(sums, x.begin(), [](double sum) { return static_cast<float>(sum); });
}

std::string AxisReading::text() const {
  return std::to_string(axes()) + (scale_ == AxisScale::whitened ? " whitened" : "") +
         " principal ax" + (axes() == 1 ? "is" : "es");
}

std::vector<TensorRef> AxisReading::tensors() {
  return {TensorRef::of("pca/mean", mean_), TensorRef::of("pca/components", components_),
          TensorRef::of("pca/variances", variances_)};
}

void AxisReading::check() const {
  const auto finite = [](const Tensor<double>& numbers, const char* name) {
    for (std::int64_t i = 0; i < numbers.size(); ++i)
      if (!std::isfinite(numbers[i]))
        fail(ErrorKind::data, name, "element " + std::to_string(i) + " is " + to_text(numbers[i]));
  };
  finite(mean_, "pca/mean");
  finite(components_, "pca/components");
  for (std::int64_t k = 0; k < axes(); ++k)
    if (!(variances_[k] >= 0) || (scale_ == AxisScale::whitened && variances_[k] == 0))
      fail(ErrorKind::data, "pca/variances",
           "element " + std::to_string(k) + " is " + to_text(variances_[k]));
}

}  // namespace logpx
