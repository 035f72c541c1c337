#include "libcore/codec/tables.hpp"

#include "libcore/base/error.hpp"

#include <cmath>
#include <string>

namespace logpx::codec {
namespace {

double total_of(std::span<const double> weights) {
  double total = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0.0) || std::isinf(weights[i]))
      fail(ErrorKind::numeric, "",
           "the model gives symbol " + std::to_string(i) + " a probability that is " +
               (std::isfinite(weights[i]) ? "negative" : "not finite"));
    total = total + weights[i];
  }
  if (!(total > 0.0) || std::isinf(total))
    fail(ErrorKind::numeric, "",
         "the model's probabilities of symbols 0 to " + std::to_string(weights.size() - 1) +
             (total > 0.0 ? " have an infinite sum" : " are all 0"));
  return total;
}

}  // namespace

void Table::assign_leaky(std::span<const double> weights, int precision) {
  LOGPX_ASSERT(!weights.empty() && precision <= most_precision &&
               2 * weights.size() <= std::size_t{1} << precision);
  const double total = total_of(weights);
  const auto count = static_cast<std::uint32_t>(weights.size());
  const double parts = static_cast<double>((1u << precision) - count);
  precision_ = precision;
  bounds_.resize(weights.size() + 1);
  double sum = 0.0;
  for (std::uint32_t i = 0; i < count; ++i) {
    bounds_[i] = static_cast<std::uint32_t>((sum / total) * parts) + i;
    sum = sum + weights[i];
  }
  bounds_[count] = 1u << precision;
}

void Table::assign_posterior(std::span<const double> weights, int precision) {
  LOGPX_ASSERT(!weights.empty() && precision <= most_precision);
  const double total = total_of(weights);
  const double parts = static_cast<double>(1u << precision);
  precision_ = precision;
  bounds_.resize(weights.size() + 1);
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    bounds_[i] = static_cast<std::uint32_t>((sum / total) * parts + 0.5);
    sum = sum + weights[i];
  }
  bounds_[weights.size()] = 1u << precision;
}

Table Table::leaky(std::span<const double> weights, int precision) {
  Table table;
  table.assign_leaky(weights, precision);
  return table;
}

Table Table::posterior(std::span<const double> weights, int precision) {
  Table table;
  table.assign_posterior(weights, precision);
  return table;
}

void beta_binomial_weights(double alpha, double beta, std::span<double> weights) {
  const auto clamped = [](double v) { return v >= 0x1p-10 ? std::fmin(v, 0x1p12) : 0x1p-10; };
  const double a = clamped(alpha), b = clamped(beta);
  const auto n = static_cast<double>(weights.size() - 1);
  weights[0] = 1.0;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    const auto k = static_cast<double>(i);
    const double ratio = ((n - k) * (k + a)) / ((k + 1.0) * (n - k - 1.0 + b));
    weights[i + 1] = weights[i] * ratio;
    if (weights[i + 1] > 0x1p500)
      for (std::size_t j = 0; j <= i + 1; ++j) weights[j] = weights[j] * 0x1p-512;
  }
}

}  // namespace logpx::codec
