#include "libcore/model/estimate.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace logpx {
namespace {

struct KindWords {
  Bound kind;
  const char *word, *relation;
};
constexpr KindWords kinds[] = {{Bound::exact, "exact", "="},
                               {Bound::lower_bound, "lower_bound", "<="},
                               {Bound::stochastic_lower_bound, "stochastic_lower_bound", "<="},
                               {Bound::upper_bound, "upper_bound", ">="},
                               {Bound::estimate, "estimate", "~"},
                               {Bound::surrogate, "surrogate", "~"}};

const KindWords& words(Bound kind) {
  for (const KindWords& candidate : kinds)
    if (candidate.kind == kind) return candidate;
  LOGPX_ASSERT(false);
  return kinds[0];
}

template <typename Value>
double pairwise_sum(std::size_t begin, std::size_t end, const Value& value) {
  if (end - begin <= 8) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += value(i);
    return sum;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  return pairwise_sum(begin, middle, value) + pairwise_sum(middle, end, value);
}

}  // namespace

const char* word_of(Bound kind) { return words(kind).word; }
const char* relation_of(Bound kind) { return words(kind).relation; }

Bound parse_bound(const std::string& word) {
  for (const KindWords& candidate : kinds)
    if (word == candidate.word) return candidate.kind;
  fail(ErrorKind::usage, word, "is not a kind of estimate");
}

Bound weaker(Bound a, Bound b) {
  if (a == b || b == Bound::exact) return a;
  if (a == Bound::exact) return b;
  if (a == Bound::surrogate || b == Bound::surrogate) return Bound::surrogate;
  const auto lower = [](Bound kind) {
    return kind == Bound::lower_bound || kind == Bound::stochastic_lower_bound;
  };
  return lower(a) && lower(b) ? Bound::stochastic_lower_bound : Bound::estimate;
}

std::string Estimate::text() const {
  std::string words = word_of(kind);
  for (char& c : words)
    if (c == '_') c = ' ';
  const std::string error = std_error ? " ± " + four_digits(*std_error) : "";
  return four_digits(value) + error + ' ' + unit + " (" + words + ')';
}

Estimate Estimate::scaled(double factor, std::string new_unit) const {
  Estimate other = *this;
  other.value *= factor;
  if (other.std_error) *other.std_error *= std::abs(factor);
  other.unit = std::move(new_unit);
  return other;
}

Estimate bits_per_dim(const Estimate& nats, std::int64_t dims, double level_bits) {
  Estimate bits = nats.scaled(-1 / (static_cast<double>(dims) * std::numbers::ln2), "bits/dim");
  bits.value += level_bits;
  return bits;
}

Estimate mean_of(std::span<const double> nats, Bound kind) {
  LOGPX_ASSERT(!nats.empty());
  const auto n = static_cast<double>(nats.size());
  Estimate estimate{.kind = kind, .n = std::ssize(nats)};
  estimate.value = pairwise_sum(0, nats.size(), [&](std::size_t i) { return nats[i]; }) / n;
  if (nats.size() < 2 || !std::isfinite(estimate.value)) return estimate;
  const double squares = pairwise_sum(0, nats.size(), [&](std::size_t i) {
    return (nats[i] - estimate.value) * (nats[i] - estimate.value);
  });
  estimate.std_error = std::sqrt(squares / (n - 1) / n);
  return estimate;
}

}  // namespace logpx
