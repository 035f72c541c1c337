#include "libcore/families/arm/orders/order_rule.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::arm {
namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

double log_sum(std::span<const double> logits) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  return largest + std::log(sum);
}

}  // namespace

bool OrderRule::is_fixed() const {
  std::vector<std::int64_t> sorted(groups.begin(), groups.end());
  std::ranges::sort(sorted);
  return kind == RuleKind::grouped && !sorted.empty() &&
         std::ranges::adjacent_find(sorted) == sorted.end();
}

void OrderRule::candidates(const StateView& state, std::span<std::uint8_t> may) const {
  const std::size_t dims = state.x.size();
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  if (kind == RuleKind::grouped && !groups.empty())
    for (std::size_t k = 0; k < dims; ++k)
      if (state.is_left(k)) lowest = std::min(lowest, groups[k]);
  const bool all = kind != RuleKind::grouped || groups.empty();
  for (std::size_t k = 0; k < dims; ++k)
    may[k] = state.is_left(k) && (all || groups[k] == lowest) ? 1 : 0;
}

void OrderRule::logits(const StateView& state, std::span<double> to) const {
  if (kind == RuleKind::network) {
    std::ranges::copy(state.policy, to.begin());
    return;
  }
  std::ranges::fill(to, 0.0);
  if (kind == RuleKind::entropy && beta != 0)
    for (std::size_t k = 0; k < to.size(); ++k)
      if (state.is_left(k)) to[k] = -beta * entropy_of(state.values_of(k));
}

void OrderRule::log_policy(const StateView& state, std::span<double> log_p) const {
  std::vector<double> own(log_p.size());
  std::vector<std::uint8_t> may(log_p.size());
  logits(state, own);
  candidates(state, may);
  log_choice(own, may, log_p);
}

void log_choice(std::span<const double> logits, std::span<const std::uint8_t> may,
                std::span<double> log_p) {
  double largest = impossible, sum = 0;
  for (std::size_t k = 0; k < may.size(); ++k)
    if (may[k] != 0) largest = std::max(largest, logits[k]);
  for (std::size_t k = 0; k < may.size(); ++k)
    if (may[k] != 0) sum += std::exp(logits[k] - largest);
  const double log_of_all = largest + std::log(sum);
  for (std::size_t k = 0; k < may.size(); ++k)
    log_p[k] = may[k] != 0 ? logits[k] - log_of_all : impossible;
}

double log_value(std::span<const double> logits, std::int32_t value) {
  return logits[at(value)] - log_sum(logits);
}

double entropy_of(std::span<const double> logits) {
  const double log_of_all = log_sum(logits);
  double nats = 0;
  for (const double logit : logits)
    if (logit > impossible) nats -= std::exp(logit - log_of_all) * (logit - log_of_all);
  return nats;
}

std::vector<std::int32_t> order_by(std::span<const double> scores,
                                   std::span<const std::int32_t> x) {
  std::vector<std::int32_t> order;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (x[k] >= 0) order.push_back(static_cast<std::int32_t>(k));
  std::ranges::stable_sort(
      order, [&](std::int32_t a, std::int32_t b) { return scores[at(a)] > scores[at(b)]; });
  return order;
}

std::vector<std::int32_t> drawn_order(std::span<const double> g, std::span<const double> uniforms,
                                      std::span<const std::int32_t> x) {
  std::vector<double> scores(g.size());
  for (std::size_t k = 0; k < g.size(); ++k) scores[k] = g[k] + gumbel_of(uniforms[k]);
  return order_by(scores, x);
}

std::vector<std::int32_t> drawn_order(std::span<const std::int64_t> groups,
                                      std::span<const double> uniforms,
                                      std::span<const std::int32_t> x) {
  std::vector<std::int32_t> order = order_by(uniforms, x);
  if (!groups.empty())
    std::ranges::stable_sort(
        order, [&](std::int32_t a, std::int32_t b) { return groups[at(a)] < groups[at(b)]; });
  return order;
}

StepTerms step_terms(std::span<const double> log_p, std::span<const double> log_q,
                     std::span<const double> log_x) {
  StepTerms terms;
  for (std::size_t k = 0; k < log_q.size(); ++k) {
    if (log_q[k] == impossible) continue;
    const double q = std::exp(log_q[k]);
    if (q == 0) continue;
    terms.recon += q * log_x[k];
    terms.kl += q * (log_q[k] - log_p[k]);
  }
  return terms;
}

}  // namespace logpx::arm
