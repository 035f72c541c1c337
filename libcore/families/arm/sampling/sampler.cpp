#include "libcore/families/arm/sampling/sampler.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/arm/orders/state_batches.hpp"
#include "libcore/families/arm/sampling/nucleus.hpp"
#include "libcore/math/low_discrepancy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::arm {
namespace {

double nats_of(std::span<const double> p) {
  double nats = 0;
  for (const double value : p)
    if (value > 0) nats -= value * std::log(value);
  return nats;
}

// The first index of positive probability whose running sum reaches u.
std::size_t drawn(std::span<const double> p, double u) {
  std::size_t last = 0;
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] == 0) continue;
    last = i;
    sum += p[i];
    if (sum >= u) break;
  }
  return last;
}

}  // namespace

struct OrderSampler::Drawing {
  std::int64_t row = 0, step = 0, count = 1;  // dims that become known
  Substream choices, values, noise;
};

std::vector<std::size_t> OrderSampler::choose_dims(std::span<const double> policy,
                                                   const Drawing& drawing) const {
  if (settings_.parallel_steps == 0)
    return {drawn(policy, uniform53_at(drawing.choices, static_cast<std::uint64_t>(drawing.step)))};
  std::vector<std::pair<double, std::size_t>> scores;
  for (std::size_t k = 0; k < policy.size(); ++k)
    if (policy[k] > 0)
      scores.emplace_back(
          -std::log(policy[k]) - gumbel_of(drawing.noise.uniform(
                                     static_cast<std::uint64_t>(drawing.step) * policy.size() + k)),
          k);
  std::ranges::sort(scores);
  std::vector<std::size_t> dims;
  for (const auto& [score, dim] : scores)
    if (std::ssize(dims) < drawing.count) dims.push_back(dim);
  return dims;
}

void OrderSampler::advance(const StateView& state, const Drawing& drawing, const Rows& rows,
                           const Watch& watch) const {
  const std::size_t dims = state.x.size();
  std::vector<double> logits(dims), policy(dims), p(at(predictor_.levels()));
  std::vector<std::uint8_t> may(dims);
  rule_.logits(state, logits);
  rule_.candidates(state, may);
  for (std::size_t k = 0; k < dims; ++k)
    if (may[k] == 0) logits[k] = -std::numeric_limits<double>::infinity();
  tempered(logits, settings_.policy_temperature, policy);
  keep_nucleus(policy, settings_.policy_top_p);
  SampledStep step{.row = drawing.row, .step = drawing.step, .policy = policy};
  if (watch) step.policy_entropy = nats_of(policy);
  for (const std::size_t dim : choose_dims(policy, drawing)) {
    tempered(state.values_of(dim), settings_.temperature, p);
    keep_nucleus(p, settings_.top_p);
    const std::size_t value = drawn(p, uniform53_at(drawing.values, dim));
    const std::size_t place = at(drawing.row) * dims + dim;
    rows.x[place] = static_cast<std::int32_t>(value);
    rows.seen[place] = 1;
    step.dim = dim;
    step.value = rows.x[place];
    step.value_p = p[value];
    step.log_policy = std::log(policy[dim]);
    step.value_entropy = watch ? nats_of(p) : 0;
    if (watch) watch(step);
    ++step.step;
  }
}

void OrderSampler::run(const Rows& rows, const Rng& rng, std::int64_t first,
                       const Watch& watch) const {
  const std::size_t dims = at(predictor_.dims()), count = rows.x.size() / dims;
  const auto own = [&](auto all, std::size_t row) { return all.subspan(row * dims, dims); };
  std::vector<std::int64_t> left(count), done(count), at_once(count);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t k = 0; k < dims; ++k)
      left[row] += rows.x[row * dims + k] != absent && rows.seen[row * dims + k] == 0;
    const std::int64_t steps = settings_.parallel_steps;
    at_once[row] = steps == 0 ? 1 : std::max<std::int64_t>((left[row] + steps - 1) / steps, 1);
  }
  for (;;) {
    std::vector<std::size_t> going;  // rows that are not whole
    for (std::size_t row = 0; row < count; ++row)
      if (left[row] > 0) going.push_back(row);
    if (going.empty()) return;
    look_at_states(
        predictor_, std::ssize(going),
        [&](std::int64_t i, StateRow row) {
          std::ranges::copy(own(rows.x, going[at(i)]), row.x.begin());
          std::ranges::copy(own(rows.seen, going[at(i)]), row.seen.begin());
        },
        [&](std::int64_t i, const StateView& state) {
          const std::size_t row = going[at(i)];
          const auto number = static_cast<std::uint32_t>(first + static_cast<std::int64_t>(row));
          const std::int64_t now = std::min(at_once[row], left[row]);
          advance(state,
                  {.row = static_cast<std::int64_t>(row),
                   .step = done[row],
                   .count = now,
                   .choices = rng.stream(Stream::order, number),
                   .values = rng.stream(Stream::sample_model, number),
                   .noise = rng.stream(Stream::noise, number)},
                  rows, watch);
          done[row] += now;
          left[row] -= now;
        });
  }
}

}  // namespace logpx::arm
