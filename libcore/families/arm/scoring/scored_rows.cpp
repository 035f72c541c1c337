#include "libcore/families/arm/scoring/scored_rows.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx::arm {

ScoredRows::ScoredRows(const OrderModel& model, const Examples& examples)
    : ScoredRows(model, model.reader().values(examples), examples.first) {}

ScoredRows::ScoredRows(const OrderModel& model, std::vector<std::int32_t> x, std::int64_t first)
    : model_(model),
      rule_(model.rule()),
      dims_(at(model.dims())),
      count_(std::ssize(x) / model.dims()),
      first_(first),
      x_(std::move(x)) {
  take_logits();
}

void ScoredRows::take_logits() {
  if (!rule_.learned()) return;
  g_.resize(x_.size());
  const std::size_t held = at(states_at_once(model_.predictor())) * dims_;
  for (std::size_t begin = 0; begin < x_.size(); begin += held) {
    const std::size_t size = std::min(held, x_.size() - begin);
    model_.predictor().choose(std::span(x_).subspan(begin, size),
                              std::span(g_).subspan(begin, size));
  }
}

std::span<const std::int32_t> ScoredRows::x(std::int64_t row) const {
  return std::span(x_).subspan(at(row) * dims_, dims_);
}

std::int64_t ScoredRows::length(std::int64_t row) const {
  const auto own = x(row);
  return std::ssize(own) - std::ranges::count(own, absent);
}

std::vector<std::int32_t> ScoredRows::order(std::int64_t row, std::int64_t draw,
                                            const Rng& rng) const {
  const Substream words = rng.stream(Stream::evaluation, static_cast<std::uint32_t>(number(row)));
  std::vector<double> uniforms(dims_);
  for (std::size_t k = 0; k < dims_; ++k)
    uniforms[k] = words.uniform(static_cast<std::uint64_t>(draw) * dims_ + k);
  if (!rule_.learned()) return drawn_order(rule_.groups, uniforms, x(row));
  return drawn_order(std::span(g_).subspan(at(row) * dims_, dims_), uniforms, x(row));
}

void ScoredRows::look(
    std::int64_t count, const std::function<State(std::int64_t)>& state,
    const std::function<void(std::int64_t, const State&, const Terms&)>& see) const {
  std::vector<double> log_p(dims_), log_q(dims_), log_x(dims_);
  std::vector<std::uint8_t> may(dims_);
  look_at_states(
      model_.predictor(), count,
      [&](std::int64_t i, StateRow row) {
        const State of = state(i);
        std::ranges::copy(x(of.row), row.x.begin());
        std::ranges::fill(row.seen, std::uint8_t{0});
        for (const std::int32_t dim : of.seen) row.seen[at(dim)] = 1;
      },
      [&](std::int64_t i, const StateView& view) {
        const State of = state(i);
        rule_.log_policy(view, log_p);
        log_q = log_p;
        if (rule_.learned()) {
          rule_.candidates(view, may);
          log_choice(std::span(g_).subspan(at(of.row) * dims_, dims_), may, log_q);
        }
        for (std::size_t k = 0; k < dims_; ++k)
          log_x[k] = view.is_left(k) ? log_value(view.values_of(k), view.x[k]) : 0;
        see(i, of, {log_p, log_q, log_x});
      });
}

}  // namespace logpx::arm
