#include "libcore/codec/tables.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/arrays.hpp"

#include <cmath>
#include <string>

namespace logpx::codec {
namespace {

void check_weight(double weight, std::size_t symbol) {
  if (weight >= 0.0 && !std::isinf(weight)) return;
  fail(ErrorKind::numeric, "",
       "the model gives symbol " + std::to_string(symbol) + " a probability that is " +
           (std::isfinite(weight) ? "negative" : "not finite"));
}

void check_total(double total, std::size_t symbols) {
  if (total > 0.0 && !std::isinf(total)) return;
  fail(ErrorKind::numeric, "",
       "the model's probabilities of symbols 0 to " + std::to_string(symbols - 1) +
           (total > 0.0 ? " have an infinite sum" : " are all 0"));
}

double total_of(std::span<const double> weights) {
  double total = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    check_weight(weights[i], i);
    total = total + weights[i];
  }
  check_total(total, weights.size());
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

void SummedTable::assign_leaky(std::span<const double> weights, int precision) {
  LOGPX_ASSERT(!weights.empty() && precision <= most_precision &&
               2 * weights.size() <= std::size_t{1} << precision);
  precision_ = precision;
  parts_ = static_cast<double>((1u << precision) - static_cast<std::uint32_t>(weights.size()));
  sums_.resize(weights.size() + 1);
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    check_weight(weights[i], i);
    sum = sum + weights[i];
    sums_[i + 1] = sum;
  }
  check_total(sum, weights.size());
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

BetaBinomial::BetaBinomial(std::size_t symbols, int precision)
    : precision_(precision),
      parts_(static_cast<double>((1u << precision) - symbols)),
      ratios_(symbols - 1),
      weights_(symbols),
      sums_(symbols + 1) {
  LOGPX_ASSERT(symbols > 0 && precision <= most_precision &&
               2 * symbols <= std::size_t{1} << precision);
}

void BetaBinomial::assign(double alpha, double beta) {
  const auto clamped = [](double v) { return v >= 0x1p-10 ? std::fmin(v, 0x1p12) : 0x1p-10; };
  det::beta_binomial_ratios(clamped(alpha), clamped(beta), ratios_);
  double weight = 1.0, sum = 1.0;
  weights_[0] = sums_[1] = 1.0;
  bool rescaled = false;
  for (std::size_t i = 0; i < ratios_.size(); ++i) {
    weight = weight * ratios_[i];
    weights_[i + 1] = weight;
    if (weight > 0x1p500) {
      rescale(i + 2);
      weight = weights_[i + 1];
      rescaled = true;
    }
    sum = sum + weight;
    sums_[i + 2] = sum;
  }
  if (!rescaled) return;
  sum = 0.0;  // the sums of weights as they are now, to the last bit
  for (std::size_t i = 0; i < weights_.size(); ++i) sums_[i + 1] = sum = sum + weights_[i];
}

void BetaBinomial::rescale(std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) weights_[j] = weights_[j] * 0x1p-512;
}

}  // namespace logpx::codec
