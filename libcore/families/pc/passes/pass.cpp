#include "libcore/families/pc/passes/pass.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/passes/slopes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace logpx::pc {
namespace {

// Never smaller than before: the same memory serves batch after batch.
template <typename T>
void make_room(std::vector<T>& values, std::int64_t count) {
  values.resize(at(count));
}

template <typename T>
void size_message(const PassPlan& plan, int b, std::int64_t columns, bool keeps,
                  Message<T>& message) {
  const Block& block = plan.block(b);
  const auto children = std::ssize(block.children);
  make_room(message.own, block.size * columns);
  make_room(message.own_exponent, columns);
  message.y = message.own.data();
  message.exponent = message.own_exponent.data();
  if (keeps) make_room(message.slope, block.size * columns);
  const bool sums = block.kind == BlockKind::sum, mixes = block.kind == BlockKind::mixing;
  if (sums) make_room(message.inner, keeps ? plan.form(b).inner_rows() * columns : 0);
  if (mixes || (sums && children > 1)) {
    std::int64_t inputs = 0;
    for (const int child : block.children) inputs += plan.block(child).size;
    make_room(message.input, inputs * columns);
    make_room(message.input_exponent, columns);
  }
  if (sums || mixes) make_room(message.factors, 2 * columns);
  if (block.kind != BlockKind::product) return;
  make_room(message.factors, children * columns);
  std::int64_t stages = 0, nodes = plan.block(block.children[0]).size;
  for (std::int64_t i = 1; i + 1 < children; ++i) {
    if (block.product == ProductKind::kronecker) nodes *= plan.block(block.children[at(i)]).size;
    stages += nodes;
  }
  make_room(message.input, stages * columns);
}

}  // namespace

template <typename T>
Pass<T>::Pass(const PassPlan& plan, const PassSettings& settings)
    : plan_(plan), settings_(settings), messages_(plan.circuit().blocks.size()) {}

template <typename T>
std::int64_t Pass<T>::bytes(const PassPlan& plan, const PassSettings& settings,
                            std::int64_t steps) {
  std::int64_t rows = plan.message_rows() + plan.widest();
  if (plan.carry() >= 0) {
    const std::int64_t every = settings.keep_every > 0 ? settings.keep_every : steps;
    const std::int64_t kept = (steps + every - 1) / every + std::min(every, steps);
    rows += (kept + 1) * (plan.block(plan.carry()).size + 2);
  }
  return (rows * settings.columns + plan.room(settings.columns)) *
         static_cast<std::int64_t>(sizeof(T));
}

template <typename T>
void Pass<T>::begin(const Columns& columns, Use use) {
  const bool keeps = use != Use::up;
  columns_ = &columns;
  use_ = use;
  for (std::size_t b = 0; b < messages_.size(); ++b)
    size_message(plan_, static_cast<int>(b), columns.count, keeps, messages_[b]);
  make_room(room_, plan_.room(columns.count));
  if (keeps) make_room(scratch_, plan_.widest() * columns.count);
  if (plan_.carry() < 0) return;
  const std::int64_t steps = columns.steps;
  every_ = steps;
  if (use != Use::down) every_ = std::min<std::int64_t>(steps, 2);
  else if (settings_.keep_every > 0) every_ = std::min(steps, settings_.keep_every);
  const std::int64_t size = plan_.block(plan_.carry()).size * columns.count;
  const auto size_all = [&](std::vector<Carried>& all, std::int64_t count) {
    if (std::ssize(all) < count) all.resize(at(count));
    for (std::int64_t i = 0; i < count; ++i) {
      make_room(all[at(i)].y, size);
      make_room(all[at(i)].exponent, columns.count);
    }
  };
  size_all(marks_, use == Use::down ? (steps + every_ - 1) / every_ : 1);
  size_all(between_, every_);
  nothing_.y.assign(at(size), T{1});
  nothing_.exponent.assign(at(columns.count), 0);
  ending_.assign(at(steps), 0);
  for (const std::int64_t length : columns.lengths) {
    LOGPX_ASSERT(length >= 1 && length <= steps);
    ++ending_[at(length - 1)];
  }
}

// Those of every `every_`-th step are kept to the end; those between them share slots, which on the
// way up end with what the way down begins with.
template <typename T>
typename Pass<T>::Carried& Pass<T>::carried(std::int64_t step) {
  if (step == columns_->steps) return nothing_;
  if (step % every_ != 0) return between_[at(step % every_)];
  return marks_[use_ == Use::down ? at(step / every_) : 0];
}

template <typename T>
void Pass<T>::bind_step(std::int64_t step) {
  Message<T>& from = messages_[at(plan_.carry())];
  Message<T>& to = messages_[at(plan_.circuit().carried)];
  Carried &before = use_ == Use::filter ? nothing_ : carried(step + 1), &here = carried(step);
  from.y = before.y.data();
  from.exponent = before.exponent.data();
  to.y = here.y.data();
  to.exponent = here.exponent.data();
}

template <typename T>
typename Pass<T>::Run Pass<T>::run_of(std::span<const T> theta, std::span<T> slopes) {
  return {plan_, theta, slopes, columns_->count, messages_, room_, scratch_, settings_.over};
}

// Rows that end with this step have no later one: what speaks of it is 1.
template <typename T>
void Pass<T>::end_rows(int b, std::int64_t step) {
  Message<T>& message = messages_[at(b)];
  const std::int64_t columns = columns_->count;
  for (std::int64_t c = 0; c < columns; ++c) {
    if (columns_->lengths[at(c)] != step + 1) continue;
    message.exponent[c] = 0;
    for (std::int64_t j = 0; j < plan_.block(b).size; ++j) message.y[j * columns + c] = T{1};
  }
}

template <typename T>
void Pass<T>::message_of(const Run& run, int b, std::int64_t step) {
  const Block& block = plan_.block(b);
  switch (block.kind) {
    case BlockKind::leaf:
      leaf_message(run, b,
                   columns_->of(step, std::ssize(plan_.circuit().variables), block.variable));
      break;
    case BlockKind::sum: sum_message(run, b); break;
    case BlockKind::mixing: mixing_message(run, b); break;
    case BlockKind::product: product_message(run, b); break;
    case BlockKind::carry: break;
  }
  if (plan_.is_later(b) && block.kind != BlockKind::carry && ending_[at(step)] > 0)
    end_rows(b, step);
}

template <typename T>
void Pass<T>::step_up(const Run& run, std::int64_t step) {
  bind_step(step);
  for (const int b : plan_.steps()) message_of(run, b, step);
}

template <typename T>
void Pass<T>::up(const Run& run, std::span<double> log_p) {
  if (plan_.carry() >= 0)
    for (std::int64_t step = columns_->steps; step-- > 0;) step_up(run, step);
  for (const int b : plan_.head()) message_of(run, b, 0);
  read_root(log_p);
}

template <typename T>
void Pass<T>::read_root(std::span<double> log_p) {
  const Message<T>& root = messages_[at(plan_.circuit().root)];
  for (std::int64_t c = 0; c < columns_->count; ++c) {
    const auto y = static_cast<double>(root.y[c]);
    log_p[at(c)] = y > 0 ? det_log(y) + static_cast<double>(root.exponent[c]) * std::numbers::ln2
                         : -std::numeric_limits<double>::infinity();
  }
}

template <typename T>
void Pass<T>::down(const Run& run, WayDown<T>& way) {
  way.begin(run);
  const std::vector<int>& head = plan_.head();
  for (auto b = head.rbegin(); b != head.rend(); ++b) way.visit(run, *b, {.columns = *columns_});
  if (plan_.carry() < 0) return;
  for (std::int64_t first = 0; first < columns_->steps; first += every_) {
    const std::int64_t end = std::min(columns_->steps, first + every_);
    if (first > 0)
      for (std::int64_t step = end; step-- > first + 1;) step_up(run, step);
    for (std::int64_t step = first; step < end; ++step) step_down(run, step, way);
  }
}

// The messages of a step's blocks are computed again: only what is carried was kept.
template <typename T>
void Pass<T>::step_down(const Run& run, std::int64_t step, WayDown<T>& way) {
  step_up(run, step);
  const StepView view{.columns = *columns_, .step = step, .ending = ending_[at(step)]};
  const std::vector<int>& steps = plan_.steps();
  for (auto b = steps.rbegin(); b != steps.rend(); ++b) way.visit(run, *b, view);
  way.end_step(run, view);
}

template <typename T>
void Pass<T>::log_p(std::span<const T> theta, const Columns& columns, std::span<double> log_p) {
  begin(columns, Use::up);
  up(run_of(theta, {}), log_p);
}

template <typename T>
void Pass<T>::add_slopes(std::span<const T> theta, const Columns& columns, std::span<double> log_p,
                         std::span<T> slopes) {
  Slopes<T> way;
  descend({.theta = theta, .slopes = slopes}, columns, log_p, way);
}

template <typename T>
void Pass<T>::descend(const Parameters& parameters, const Columns& columns, std::span<double> log_p,
                      WayDown<T>& way) {
  begin(columns, Use::down);
  const Run run = run_of(parameters.theta, parameters.slopes);
  up(run, log_p);
  down(run, way);
}

template class Pass<float>;
template class Pass<double>;

}  // namespace logpx::pc
