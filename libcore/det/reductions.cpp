#include "libcore/det/reductions.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace logpx::det {

namespace {

// sum8 of value(0) ... value(n - 1).
template <typename Value>
double sum8_of(std::size_t n, Value value) {
  std::array<double, 8> p{};
  for (std::size_t i = 0; i < n; ++i) p[i % 8] += value(i);
  return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

struct Moments {
  double mean, inverse_deviation;
};
Moments moments_of(std::span<const float> x, double eps) {
  const auto n = static_cast<double>(x.size());
  const double mean =
      sum8_of(x.size(), [&](std::size_t i) { return static_cast<double>(x[i]); }) / n;
  const double variance = sum8_of(x.size(),
                                  [&](std::size_t i) {
                                    const double d = static_cast<double>(x[i]) - mean;
                                    return d * d;
                                  }) /
                          n;
  return {mean, 1.0 / std::sqrt(variance + eps)};
}

float normalised(float x, const Moments& m, double gamma, double beta) {
  return static_cast<float>(((static_cast<double>(x) - m.mean) * m.inverse_deviation) * gamma +
                            beta);
}

double at_or(std::span<const float> values, std::size_t i, double otherwise) {
  return values.empty() ? otherwise : static_cast<double>(values[i]);
}

}  // namespace

double sum8(std::span<const double> v) {
  return sum8_of(v.size(), [&](std::size_t i) { return v[i]; });
}

// Eight maxima side by side, so that no comparison waits for the one before.
template <typename T>
T largest_of(std::span<const T> x) {
  constexpr std::size_t abreast = 8;
  std::array<T, abreast> most;
  most.fill(-std::numeric_limits<T>::infinity());
  const std::size_t whole = x.size() / abreast * abreast;
  for (std::size_t i = 0; i < whole; i += abreast)
    for (std::size_t line = 0; line < abreast; ++line)
      most[line] = std::max(most[line], x[i + line]);
  for (std::size_t i = whole; i < x.size(); ++i) most[i - whole] = std::max(most[i - whole], x[i]);
  return *std::ranges::max_element(most);
}
template float largest_of(std::span<const float>);
template double largest_of(std::span<const double>);

void softmax(std::span<const double> x, std::span<double> p) {
  const double largest = largest_of(x);
  if (largest == -std::numeric_limits<double>::infinity()) {
    std::fill(p.begin(), p.end(), 0.0);
    return;
  }
  for (std::size_t i = 0; i < x.size(); ++i) p[i] = x[i] - largest;
  exp(p, p);
  const double sum = sum8(p);
  for (double& value : p) value = value / sum;
}

double log_sum_exp(std::span<const double> x) {
  const double largest = largest_of(x);
  if (largest == -std::numeric_limits<double>::infinity()) return largest;
  return largest +
         det_log(sum8_of(x.size(), [&](std::size_t i) { return det_exp(x[i] - largest); }));
}

void layer_norm(std::span<const float> x, Affine affine, double eps, std::span<float> y) {
  const Moments moments = moments_of(x, eps);
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = normalised(x[i], moments, at_or(affine.gamma, i, 1), at_or(affine.beta, i, 0));
}

void group_norm(std::span<const float> x, GroupNormShape shape, Affine affine, double eps,
                std::span<float> y) {
  LOGPX_ASSERT(shape.channels % shape.groups == 0 && x.size() == shape.channels * shape.pixels);
  const std::size_t channels = shape.channels / shape.groups, size = channels * shape.pixels;
  for (std::size_t g = 0; g < shape.groups; ++g) {
    const std::span<const float> group = x.subspan(g * size, size);
    const Moments moments = moments_of(group, eps);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t channel = g * channels + i / shape.pixels;
      y[g * size + i] = normalised(group[i], moments, at_or(affine.gamma, channel, 1),
                                   at_or(affine.beta, channel, 0));
    }
  }
}

FoldedNorm fold(const StoredStatistics& channel, double eps) {
  const double scale = channel.gamma * (1.0 / std::sqrt(channel.variance + eps));
  return {scale, channel.beta - channel.mean * scale};
}

void apply(const FoldedNorm& channel, std::span<const float> x, std::span<float> y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = static_cast<float>(static_cast<double>(x[i]) * channel.scale + channel.shift);
}

}  // namespace logpx::det
