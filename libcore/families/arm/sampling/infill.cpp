#include "libcore/families/arm/sampling/infill.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "libcore/families/arm/scoring/iwae_scoring.hpp"
#include "libcore/math/resample.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::arm {
namespace {

constexpr double most_states = 1 << 22;  // of all completions together
constexpr std::int64_t orders_of_estimate = 4;

bool is_missing(const PartlyKnown& row, std::size_t dim) {
  return row.seen[dim] == 0 && row.x[dim] != absent;
}

double completions_of(const OrderModel& model, const PartlyKnown& row) {
  double ways = 1;
  for (std::size_t k = 0; k < row.x.size(); ++k)
    if (is_missing(row, k))
      ways *= static_cast<double>(model.form().levels_of(static_cast<std::int64_t>(k)));
  return ways;
}

// Every way to fill what is not seen, by counting.
std::vector<std::int32_t> fillings(const OrderModel& model, const PartlyKnown& row) {
  std::vector<std::int32_t> all, x = row.x;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (is_missing(row, k)) x[k] = 0;
  for (;;) {
    all.insert(all.end(), x.begin(), x.end());
    std::size_t k = 0;
    while (k < x.size() && (!is_missing(row, k) ||
                            x[k] + 1 == model.form().levels_of(static_cast<std::int64_t>(k)))) {
      if (is_missing(row, k)) x[k] = 0;
      ++k;
    }
    if (k == x.size()) return all;
    ++x[k];
  }
}

// log q(z|S, x) of the order in which missing values were filled in.
std::vector<double> log_choices(const ScoredRows& rows, const PartlyKnown& row,
                                const std::vector<std::vector<std::int32_t>>& orders) {
  std::vector<std::int32_t> known;
  for (std::size_t k = 0; k < row.seen.size(); ++k)
    if (row.seen[k] != 0 && row.x[k] != absent) known.push_back(static_cast<std::int32_t>(k));
  std::vector<std::vector<std::int32_t>> along;  // what was known, then the order
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t n = 0; n < orders.size(); ++n) {
    along.push_back(known);
    along.back().insert(along.back().end(), orders[n].begin(), orders[n].end());
    for (std::size_t i = known.size(); i < along.back().size(); ++i) places.emplace_back(n, i);
  }
  std::vector<double> nats(orders.size());
  rows.look(
      std::ssize(places),
      [&](std::int64_t i) {
        const auto& [n, length] = places[at(i)];
        return ScoredRows::State{static_cast<std::int64_t>(n), std::span(along[n]).first(length)};
      },
      [&](std::int64_t i, const ScoredRows::State&, const ScoredRows::Terms& terms) {
        const auto& [n, length] = places[at(i)];
        nats[n] += terms.log_q[at(along[n][length])];
      });
  return nats;
}

// log p(x) of each row.
std::vector<double> estimates(const ScoredRows& rows, const Rng& rng) {
  std::vector<WeighedOrder> orders;
  for (std::int64_t row = 0; row < rows.count(); ++row)
    for (std::int64_t k = 0; k < orders_of_estimate; ++k)
      orders.push_back({row, rows.order(row, k, rng)});
  const std::vector<double> log_weights = order_weights(rows, orders);
  std::vector<double> nats, weights(orders_of_estimate);
  for (std::size_t first = 0; first < log_weights.size(); first += orders_of_estimate)
    nats.push_back(
        importance_weights(std::span(log_weights).subspan(first, orders_of_estimate), weights));
  return nats;
}

}  // namespace

void require_few_completions(const OrderModel& model, const PartlyKnown& row) {
  const std::int64_t dims = std::ssize(row.x) - std::ranges::count(row.x, absent);
  if (dims <= most_subset_dims &&
      completions_of(model, row) * std::exp2(static_cast<double>(dims)) <= most_states)
    return;
  fail(ErrorKind::usage, "--infill exact",
       "sums over all completions and all sets of " + std::to_string(dims) +
           " dims, which are too many",
       "--infill sir");
}

ExactCompletions exact_completions(const OrderModel& model, const PartlyKnown& row) {
  ExactCompletions all{.x = fillings(model, row), .p = {}};
  const ScoredRows rows(model, all.x, 0);
  std::vector<double> log_p;
  for (std::int64_t i = 0; i < rows.count(); ++i) log_p.push_back(subset_sums(rows, i).log_p);
  all.p.resize(log_p.size());
  static_cast<void>(importance_weights(log_p, all.p));
  return all;
}

WeighedCompletions weighed_completions(const OrderModel& model, const OrderSampler& sampler,
                                       const PartlyKnown& row, std::int64_t count, const Rng& rng,
                                       std::int64_t first) {
  WeighedCompletions all;
  std::vector<std::uint8_t> seen;
  for (std::int64_t i = 0; i < count; ++i) {
    all.x.insert(all.x.end(), row.x.begin(), row.x.end());
    seen.insert(seen.end(), row.seen.begin(), row.seen.end());
  }
  std::vector<std::vector<std::int32_t>> orders(at(count));
  std::vector<double> proposed(at(count));
  const auto note = [&](const SampledStep& step) {
    orders[at(step.row)].push_back(static_cast<std::int32_t>(step.dim));
    proposed[at(step.row)] += step.log_policy + std::log(step.value_p);
  };
  sampler.run({.x = all.x, .seen = seen}, rng, first, {.tell = note});
  const ScoredRows rows(model, all.x, first);
  const std::vector<double> log_q = log_choices(rows, row, orders), log_p = estimates(rows, rng);
  for (std::size_t i = 0; i < at(count); ++i)
    all.log_weights.push_back(log_p[i] + log_q[i] - proposed[i]);
  return all;
}

}  // namespace logpx::arm
