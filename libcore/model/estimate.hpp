// A number about log p(x) is never bare: it has a kind, a unit and an error.
// [eval/README 1.1]
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace logpx {

// The kind is always about log p(x), even for derived quantities: bits of a lower bound are at most
// the number printed.
enum class Bound { exact, lower_bound, stochastic_lower_bound, upper_bound, estimate, surrogate };

[[nodiscard]] const char* word_of(Bound kind);             // "lower_bound"
[[nodiscard]] const char* relation_of(Bound kind);         // for bits: "=", "<=", ">=", "~"
[[nodiscard]] Bound parse_bound(const std::string& word);  // a usage error for another word

// The kind of a sum of two quantities.
[[nodiscard]] Bound weaker(Bound a, Bound b);

struct Estimate {
  double value = 0;
  std::string unit = "nats";
  Bound kind = Bound::estimate;
  std::optional<double> std_error = {};  // over examples
  std::optional<std::int64_t> n = {};

  // "-98.41 ± 0.03 nats (lower bound)"
  [[nodiscard]] std::string text() const;
  // Changes the unit by a factor: bits per dimension are -1 / (dims ln 2) nats.
  [[nodiscard]] Estimate scaled(double factor, std::string new_unit) const;
};

// -nats / (dims ln 2), and what dequantised levels add: log p of values divided by 256 needs 8.
[[nodiscard]] Estimate bits_per_dim(const Estimate& nats, std::int64_t dims, double level_bits);

// The mean of scores, summed pairwise in their order, with its standard error. With -inf among them
// the mean is -inf, without an error.
[[nodiscard]] Estimate mean_of(std::span<const double> nats, Bound kind);

}  // namespace logpx
