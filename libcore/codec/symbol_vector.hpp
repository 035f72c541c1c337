// The distribution of a whole item given what it depends on: p(x|z) at one z.
//
//   const auto bits =
//       symbols_of([p = probabilities](std::size_t i, auto) { return Bernoulli(p[i], 24); });
//   const auto levels = symbols_of(
//       [=, dist = BetaBinomial(256, 24)](std::size_t i, auto) mutable -> const auto& {
//         dist.assign(alpha[i], beta[i]);
//         return dist;
//       });
#pragma once

#include "libcore/codec/distribution.hpp"
#include "libcore/codec/tables.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace logpx::codec {

class SymbolVector {
 public:
  virtual ~SymbolVector() = default;
  virtual void push(Message& message, std::span<const std::uint8_t> symbols) = 0;
  virtual void pop(Message& message, std::span<std::uint8_t> symbols) = 0;
  // sum + ln p(symbols), symbol after symbol.
  [[nodiscard]] virtual double add_log_probability(std::span<const std::uint8_t> symbols,
                                                   double sum) = 0;
  // ln p of each of them.
  virtual void log_probabilities(std::span<const std::uint8_t> symbols, std::span<double> nats) = 0;
};

// dist_at(i, symbols) is the distribution of element i; it may look at the elements before i, as
// colours that depend on one another do.
template <typename DistAt>
class SymbolVectorOf final : public SymbolVector {
 public:
  explicit SymbolVectorOf(DistAt dist_at) : dist_at_(std::move(dist_at)) {}

  void push(Message& message, std::span<const std::uint8_t> symbols) override {
    push_vector(message, symbols,
                [&](std::size_t i) -> decltype(auto) { return dist_at_(i, symbols); });
  }
  void pop(Message& message, std::span<std::uint8_t> symbols) override {
    const std::span<const std::uint8_t> known = symbols;
    pop_vector(message, symbols,
               [&](std::size_t i) -> decltype(auto) { return dist_at_(i, known); });
  }
  double add_log_probability(std::span<const std::uint8_t> symbols, double sum) override {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      sum = sum + log_probability(dist_at_(i, symbols), symbols[i]);
    return sum;
  }
  void log_probabilities(std::span<const std::uint8_t> symbols, std::span<double> nats) override {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      nats[i] = log_probability(dist_at_(i, symbols), symbols[i]);
  }

 private:
  DistAt dist_at_;
};

template <typename DistAt>
[[nodiscard]] std::unique_ptr<SymbolVector> symbols_of(DistAt dist_at) {
  return std::make_unique<SymbolVectorOf<DistAt>>(std::move(dist_at));
}

}  // namespace logpx::codec
