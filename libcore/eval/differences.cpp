#include "libcore/eval/differences.hpp"

#include "libcore/base/index.hpp"
#include "libcore/eval/joint_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

// Calls take(rows) with draws of a model, some hundred at a time.
template <typename Take>
void visit_draws(const ModelQueries& queries, const DrawPlan& plan, Take take) {
  constexpr std::int64_t at_once = 512;
  for (std::int64_t first = 0; first < plan.count; first += at_once) {
    Evidence rows = unknown_row(plan.width).repeat(0, std::min(at_once, plan.count - first));
    rows.first = first;
    rows.become(queries.fill(rows, FillBy::draws, plan.rng, 0));
    take(rows);
  }
}

DrawnMean mean_with_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.value = mean, .std_error = n > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

}  // namespace

std::optional<double> exact_entropy(const ModelQueries& queries, std::int64_t width,
                                    std::int64_t most) {
  std::vector<std::int64_t> places(at(width));
  std::iota(places.begin(), places.end(), std::int64_t{0});
  if (std::ranges::any_of(places, [&](std::int64_t place) { return queries.is_real(place); }))
    return std::nullopt;
  const Assignments all(queries, std::move(places));
  if (all.count(most) > most) return std::nullopt;
  double entropy = 0;
  all.score(queries, unknown_row(width), 0, [&](std::int64_t, std::span<const double> nats) {
    for (const double one : nats)
      if (std::isfinite(one)) entropy -= std::exp(one) * one;
  });
  return entropy;
}

DrawnMean drawn_entropy(const ModelQueries& queries, const DrawPlan& plan) {
  std::vector<double> surprises;
  visit_draws(queries, plan, [&](const Evidence& rows) {
    for (const double nats : queries.log_p(rows)) surprises.push_back(-nats);
  });
  return mean_with_error(surprises);
}

DrawnMean drawn_divergence(const ModelQueries& p, const ModelQueries& q, const DrawPlan& plan) {
  std::vector<double> differences;
  visit_draws(p, plan, [&](const Evidence& rows) {
    const std::vector<double> own = p.log_p(rows), other = q.log_p(rows);
    for (std::size_t i = 0; i < own.size(); ++i) differences.push_back(own[i] - other[i]);
  });
  return mean_with_error(differences);
}

}  // namespace logpx
