// Distributions given by numbers: tables of weights and the Bernoulli.
// [codec/README 3.2]
#pragma once

#include "libcore/codec/distribution.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec {

// F from weights, kept; assign_* reuse the memory. Weights are finite and at least 0, their sum is
// above 0: else a numeric error that names the symbol.
class Table {
 public:
  Table() = default;

  // F(i) = floor((C_i / C_n) (2^r - n)) + i with C the running sum: every symbol keeps one part.
  // Needs 2n <= 2^r.
  void assign_leaky(std::span<const double> weights, int precision);
  // F(i) = floor((C_i / C_n) 2^r + 0.5): for posteriors, which must not leak.
  void assign_posterior(std::span<const double> weights, int precision);
  [[nodiscard]] static Table leaky(std::span<const double> weights, int precision);
  [[nodiscard]] static Table posterior(std::span<const double> weights, int precision);

  [[nodiscard]] std::uint32_t n() const { return static_cast<std::uint32_t>(bounds_.size() - 1); }
  [[nodiscard]] int precision() const { return precision_; }
  [[nodiscard]] std::uint32_t cdf(std::uint32_t i) const { return bounds_[i]; }
  [[nodiscard]] std::uint32_t find(std::uint32_t part) const {
    return halving_search(n(), part, [this](std::uint32_t i) { return bounds_[i]; });
  }
  [[nodiscard]] const std::vector<std::uint32_t>& bounds() const { return bounds_; }

 private:
  std::vector<std::uint32_t> bounds_ = {0, 1};
  int precision_ = 0;
};

// The same F as Table::assign_leaky gives, with bounds that are computed when asked for: coding a
// symbol looks at few of hundreds.
class SummedTable {
 public:
  void assign_leaky(std::span<const double> weights, int precision);

  [[nodiscard]] std::uint32_t n() const { return static_cast<std::uint32_t>(sums_.size() - 1); }
  [[nodiscard]] int precision() const { return precision_; }
  [[nodiscard]] std::uint32_t cdf(std::uint32_t i) const {
    if (i == n()) return 1u << precision_;
    return static_cast<std::uint32_t>((sums_[i] / sums_.back()) * parts_) + i;
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t part) const {
    return halving_search(n(), part, [this](std::uint32_t i) { return cdf(i); });
  }

 private:
  std::vector<double> sums_ = {0, 1};  // sums_[i]: of the weights before i
  double parts_ = 0;
  int precision_ = 0;
};

// 1 with probability p; both symbols have at least one part.
class Bernoulli {
 public:
  Bernoulli(double p, int precision)
      : p_(p), precision_(precision), zeros_((1u << precision) - ones(p, precision)) {}

  [[nodiscard]] std::uint32_t n() const { return 2; }
  [[nodiscard]] int precision() const { return precision_; }
  [[nodiscard]] std::uint32_t cdf(std::uint32_t i) const {
    return i == 0 ? 0 : i == 1 ? zeros_ : 1u << precision_;
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t part) const { return part >= zeros_; }
  [[nodiscard]] double p() const { return p_; }

 private:
  static std::uint32_t ones(double p, int precision) {
    const double total = static_cast<double>(1u << precision), rounded = p * total + 0.5;
    if (!(rounded >= 1.0)) return 1;
    if (rounded >= total) return (1u << precision) - 1;
    return static_cast<std::uint32_t>(rounded);
  }
  double p_;
  int precision_;
  std::uint32_t zeros_;
};

// ln p of a symbol, for weights of particles and for scores.
template <Dist D>
[[nodiscard]] double log_probability(const D& dist, std::uint32_t symbol) {
  const double total = static_cast<double>(1u << dist.precision());
  return det_log(static_cast<double>(slot_of(dist, symbol).frequency) / total);
}
[[nodiscard]] inline double log_probability(const Bernoulli& dist, std::uint32_t symbol) {
  return det_log(symbol ? dist.p() : 1.0 - dist.p());
}

// The beta-binomial over 0 .. symbols - 1: weights up to a common factor by their ratios, without
// lgamma, as Table::assign_leaky takes them. Bounds are computed when asked for, since a pixel asks
// for two of hundreds. alpha and beta are clamped to [2^-10, 2^12]; assign() reuses memory.
class BetaBinomial {
 public:
  BetaBinomial(std::size_t symbols, int precision);
  void assign(double alpha, double beta);

  [[nodiscard]] std::uint32_t n() const { return static_cast<std::uint32_t>(weights_.size()); }
  [[nodiscard]] int precision() const { return precision_; }
  [[nodiscard]] std::uint32_t cdf(std::uint32_t i) const {
    if (i == n()) return 1u << precision_;
    return static_cast<std::uint32_t>((sums_[i] / sums_.back()) * parts_) + i;
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t part) const {
    return halving_search(n(), part, [this](std::uint32_t i) { return cdf(i); });
  }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }

 private:
  void rescale(std::size_t count);

  int precision_;
  double parts_;
  std::vector<double> ratios_, weights_, sums_;  // sums_[i]: of the weights before i
};

}  // namespace logpx::codec
