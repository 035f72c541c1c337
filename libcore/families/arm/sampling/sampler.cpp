#include "libcore/families/arm/sampling/sampler.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/arm/state_predictor.hpp"
#include "libcore/math/low_discrepancy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace logpx::arm {
namespace {

constexpr double slack = 1e-12;
constexpr std::int64_t most_traced_values = 256;

}  // namespace

void keep_nucleus(std::span<double> p, double top_p) {
  if (top_p >= 1) return;
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  double sum = 0;
  std::size_t kept = 0;
  while (kept < order.size() && (kept == 0 || sum < top_p - slack)) sum += p[order[kept++]];
  for (std::size_t i = 0; i < order.size(); ++i) p[order[i]] = i < kept ? p[order[i]] / sum : 0;
}

void tempered(std::span<const double> logits, double temperature, std::span<double> p) {
  const auto largest = std::ranges::max_element(logits);
  if (temperature == 0) {
    std::ranges::fill(p, 0.0);
    p[static_cast<std::size_t>(largest - logits.begin())] = 1;
    return;
  }
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    p[i] = logits[i] == -std::numeric_limits<double>::infinity()
               ? 0
               : std::exp((logits[i] - *largest) / temperature);
    sum += p[i];
  }
  for (double& value : p) value /= sum;
}

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

void OrderSampler::value_probabilities(const StateView& state, std::size_t dim,
                                       std::span<double> p) const {
  tempered(state.values_of(dim), settings_.temperature, p);
  keep_nucleus(p, settings_.top_p);
}

std::vector<double> OrderSampler::entropies_of(const StateView& state) const {
  std::vector<double> entropies(state.x.size()), p(at(predictor_.levels()));
  for (std::size_t k = 0; k < entropies.size(); ++k) {
    if (state.x[k] == absent || state.seen[k] != 0) continue;
    value_probabilities(state, k, p);
    entropies[k] = nats_of(p);
  }
  return entropies;
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
  SampledStep step{.row = drawing.row, .step = drawing.step, .policy = policy, .values = p};
  if (watch.tell) step.policy_entropy = nats_of(policy);
  std::vector<double> entropies;
  if (watch.tell && watch.told == Told::all) entropies = entropies_of(state);
  step.entropies = entropies;
  for (const std::size_t dim : choose_dims(policy, drawing)) {
    value_probabilities(state, dim, p);
    const std::size_t value = drawn(p, uniform53_at(drawing.values, dim));
    const std::size_t place = at(drawing.row) * dims + dim;
    rows.x[place] = static_cast<std::int32_t>(value);
    rows.seen[place] = 1;
    step.dim = dim;
    step.value = rows.x[place];
    step.value_p = p[value];
    step.log_policy = std::log(policy[dim]);
    step.value_entropy = watch.tell ? nats_of(p) : 0;
    if (watch.tell) watch.tell(step);
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

TracedSteps::TracedSteps(const DatasetInfo& rows, const RowForm& form,
                         std::span<const std::int32_t> x, Told told)
    : dims_(rows.dims()), levels_(form.levels()), told_(told) {
  const ChannelsFirst place(rows);
  const std::size_t all = x.size();
  for (std::size_t first = 0; first < all; first += at(dims_)) {
    const std::int64_t atoms =
        form.holds_molecules() ? form.atoms_of(x.subspan(first, at(dims_))) : 0;
    atoms_.push_back(atoms);
    const auto [places, is_new] = places_.try_emplace(atoms, at(dims_), absent);
    if (!is_new) continue;
    const std::vector<std::int32_t> dims = form.dims_of(atoms);
    for (std::size_t i = 0; i < dims.size(); ++i)
      places->second[form.holds_molecules() ? at(dims[i]) : place(i)] =
          static_cast<std::int32_t>(i);
  }
  order_.assign(all, -1);
  value_.assign(all, -1);
  for (std::vector<float>* numbers :
       {&value_prob_, &policy_log_prob_, &policy_entropy_, &classifier_entropy_})
    numbers->resize(all);
  if (told == Told::steps) return;
  policy_.resize(all * at(dims_));
  entropies_.resize(all * at(dims_));
  if (levels_ <= most_traced_values) values_.resize(all * at(levels_));
}

const std::vector<std::int32_t>& TracedSteps::places_of(std::int64_t row) const {
  return places_.at(atoms_[at(row)]);
}

void TracedSteps::add(const SampledStep& step) {
  const std::size_t place = at(step.row * dims_ + step.step);
  const std::vector<std::int32_t>& places = places_of(step.row);
  order_[place] = places[step.dim];
  value_[place] = step.value;
  value_prob_[place] = static_cast<float>(step.value_p);
  policy_log_prob_[place] = static_cast<float>(step.log_policy);
  policy_entropy_[place] = static_cast<float>(step.policy_entropy);
  classifier_entropy_[place] = static_cast<float>(step.value_entropy);
  if (told_ == Told::steps) return;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] == absent) continue;
    const std::size_t stored = place * at(dims_) + at(places[k]);
    policy_[stored] = static_cast<float>(step.policy[k]);
    entropies_[stored] = static_cast<float>(step.entropies[k]);
  }
  for (std::size_t v = 0; v < (values_.empty() ? 0 : step.values.size()); ++v)
    values_[place * at(levels_) + v] = static_cast<float>(step.values[v]);
}

void TracedSteps::append_to(std::vector<SampleCode>& codes, std::int64_t count) const {
  const Shape each{dims_};
  const auto add = [&](const char* name, const auto& numbers, const Shape& shape) {
    codes.push_back(
        SampleCode::of(name, shape, std::span(numbers).first(at(count * shape.elements()))));
  };
  add("order", order_, each);
  add("value", value_, each);
  add("value_prob", value_prob_, each);
  add("policy_log_prob", policy_log_prob_, each);
  add("policy_entropy", policy_entropy_, each);
  add("classifier_entropy", classifier_entropy_, each);
  if (told_ == Told::steps) return;
  add("policy", policy_, {dims_, dims_});
  add("entropies", entropies_, {dims_, dims_});
  if (!values_.empty()) add("value_probs", values_, {dims_, levels_});
}

}  // namespace logpx::arm
