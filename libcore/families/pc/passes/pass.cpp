#include "libcore/families/pc/passes/pass.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/families/pc/reference/log_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace logpx::pc {

template <typename T>
Pass<T>::Pass(const PassPlan& plan, const PassSettings& settings)
    : plan_(plan),
      settings_(settings),
      messages_(plan.circuit().blocks.size()),
      pruned_(settings.pruning) {}

template <typename T>
std::int64_t Pass<T>::bytes(const PassPlan& plan, const PassSettings& settings,
                            std::int64_t steps) {
  if (settings.arithmetic == Arithmetic::logarithms)  // values, flows and inputs of all steps
    return 2 * plan.message_rows() * steps * settings.columns *
           static_cast<std::int64_t>(sizeof(T));
  std::int64_t rows = plan.message_rows() + plan.widest();
  if (plan.carry() >= 0) {
    const std::int64_t every = settings.keep_every > 0 ? settings.keep_every : steps;
    const std::int64_t kept = (steps + every - 1) / every + std::min(every, steps);
    const int sum = plan.later_sum();
    rows += kept * (plan.block(sum >= 0 ? sum : plan.carry()).size + 2);
    rows += (sum >= 0 ? 3 : 1) * (plan.block(plan.carry()).size + 2);
  }
  return (rows * settings.columns + plan.room(settings.columns)) *
         static_cast<std::int64_t>(sizeof(T));
}

template <typename T>
void Pass<T>::begin(const Columns& columns, Use use) {
  const auto make_room = [](std::vector<T>& values, std::int64_t count) {
    values.resize(at(count));
  };
  const bool keeps = use != Use::up;
  columns_ = &columns;
  use_ = use;
  for (std::size_t b = 0; b < messages_.size(); ++b)
    size_message(plan_, static_cast<int>(b), {.columns = columns.count, .keeps = keeps},
                 messages_[b]);
  kept_sum_ = use == Use::slopes ? plan_.later_sum() : -1;
  if (kept_sum_ >= 0) messages_[at(kept_sum_)].inner.clear();  // computed again on the way down
  make_room(room_, plan_.room(columns.count));
  if (keeps) make_room(scratch_, plan_.widest() * columns.count);
  if (plan_.carry() < 0) return;
  const std::int64_t steps = columns.steps;
  every_ = steps;
  const bool down = use == Use::down || use == Use::slopes;
  if (!down) every_ = std::min<std::int64_t>(steps, 2);
  else if (settings_.keep_every > 0) every_ = std::min(steps, settings_.keep_every);
  const auto size_all = [&](std::span<Carried> all, int b) {
    for (Carried& one : all) {
      make_room(one.y, plan_.block(b).size * columns.count);
      one.exponent.resize(at(columns.count));
    }
  };
  const auto grow = [&](std::vector<Carried>& all, std::int64_t count) {
    if (std::ssize(all) < count) all.resize(at(count));
    size_all(std::span(all).first(at(count)), kept_sum_ >= 0 ? kept_sum_ : plan_.carry());
  };
  grow(marks_, down ? (steps + every_ - 1) / every_ : 1);
  grow(between_, every_);
  if (kept_sum_ >= 0) size_all(handed_, plan_.carry());
  nothing_.y.assign(at(plan_.block(plan_.carry()).size * columns.count), T{1});
  nothing_.exponent.assign(at(columns.count), 0);
  ending_.assign(at(steps), 0);
  for (const std::int64_t length : columns.lengths) {
    LOGPX_ASSERT(length >= 1 && length <= steps);
    ++ending_[at(length - 1)];
  }
}

// Messages of every `every_`-th step are kept to the end. Those between share slots, which hold the
// first steps when the way up ends, as the way down needs them.
template <typename T>
typename Pass<T>::Carried& Pass<T>::kept(std::int64_t step) {
  if (step % every_ != 0) return between_[at(step % every_)];
  const bool down = use_ == Use::down || use_ == Use::slopes;
  return marks_[down ? at(step / every_) : 0];
}

template <typename T>
void Pass<T>::bind(int b, Carried& to) {
  messages_[at(b)].y = to.y.data();
  messages_[at(b)].exponent = to.exponent.data();
}

// Where the messages of a step's first sum are kept, what the step hands on follows from them
// without a matrix product, and is held for this step and the next only.
template <typename T>
void Pass<T>::bind_step(std::int64_t step) {
  const auto carried = [this](std::int64_t of) -> Carried& {
    return kept_sum_ >= 0 ? handed_[at(of % 2)] : kept(of);
  };
  const bool last = use_ == Use::filter || step + 1 == columns_->steps;
  bind(plan_.carry(), last ? nothing_ : carried(step + 1));
  bind(plan_.circuit().carried, carried(step));
  if (kept_sum_ >= 0) bind(kept_sum_, kept(step));
}

template <typename T>
typename Pass<T>::Run Pass<T>::run_of(const Parameters& parameters) {
  Run run{.plan = plan_,
          .theta = parameters.theta,
          .slopes = parameters.slopes,
          .columns = columns_->count,
          .messages = messages_,
          .room = room_,
          .scratch = scratch_,
          .over = settings_.over,
          .parts = settings_.parts,
          .styles = columns_->styles.empty() ? nullptr : columns_->styles.data()};
  if (use_ == Use::up && settings_.pruning.on()) {
    run.pruned = &pruned_;
    pruned_.begin(run.theta);
  }
  const bool each = use_ == Use::down || use_ == Use::filter;
  if (each || columns_->regions || plan_.narrow_variables().empty()) return run;
  run.few = &few_;
  few_.begin(run, use_ == Use::up ? Ways::up : Ways::both);
  return run;
}

// Messages from later steps are 1 for rows that end with this step.
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
  if (run.few != nullptr && plan_.narrow(b)) {
    leaf_or_sum_message(run.few->work_of(run, b), b, {.x = run.few->values(plan_, b)});
    if (plan_.spreads(b)) run.few->spread(run, b);
    return;
  }
  switch (block.kind) {
    case BlockKind::leaf:
    case BlockKind::indicator:
      leaf_or_sum_message(
          run, b, columns_->of(step, std::ssize(plan_.circuit().variables), block.variable));
      break;
    case BlockKind::joint: joint_message(run, b, {*columns_, step}); break;
    case BlockKind::sum: sum_message(run, b); break;
    case BlockKind::mixing: mixing_message(run, b); break;
    case BlockKind::product: product_message(run, b); break;
    case BlockKind::carry: break;
  }
  if (run.pruned != nullptr && block.kind == BlockKind::product) run.pruned->finish_product(run, b);
  if (plan_.is_later(b) && block.kind != BlockKind::carry && ending_[at(step)] > 0)
    end_rows(b, step);
}

// Computes the messages of all blocks of a step except one that was kept.
template <typename T>
void Pass<T>::step_up(const Run& run, std::int64_t step, int kept) {
  bind_step(step);
  if (run.few != nullptr) run.few->find(run, *columns_, step);
  for (const int b : plan_.steps())
    if (b != kept) message_of(run, b, step);
}

template <typename T>
void Pass<T>::up(const Run& run, std::span<double> log_p) {
  if (plan_.carry() >= 0)
    for (std::int64_t step = columns_->steps; step-- > 0;) step_up(run, step);
  else if (run.few != nullptr) run.few->find(run, *columns_, 0);
  for (const int b : plan_.head()) message_of(run, b, 0);
  read_root(run, log_p);
}

template <typename T>
void Pass<T>::read_root(const Run& run, std::span<double> log_p) {
  const Message<T>& root = messages_[at(plan_.circuit().root)];
  for (std::int64_t c = 0; c < columns_->count; ++c) {
    auto y = static_cast<double>(root.y[c]);
    if (run.styles != nullptr)
      y *= static_cast<double>(run.theta[at(plan_.style_prior().begin + run.styles[c])]);
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
    if (first > 0) {
      if (kept_sum_ >= 0 && end < columns_->steps) step_up(run, end, kept_sum_);
      for (std::int64_t step = end; step-- > first + 1;) step_up(run, step);
      if (kept_sum_ >= 0) step_up(run, first, kept_sum_);
    }
    for (std::int64_t step = first; step < end; ++step) step_down(run, step, way);
  }
}

// Computes the messages of a step's blocks again, as only the carried one was kept. Where a sum was
// kept instead, it is there, and is visited last with what the next step hands on.
template <typename T>
void Pass<T>::step_down(const Run& run, std::int64_t step, WayDown<T>& way) {
  kept_sum_ < 0 ? step_up(run, step) : bind_step(step);
  const StepView view{.columns = *columns_, .step = step, .ending = ending_[at(step)]};
  const std::vector<int>& steps = plan_.steps();
  for (auto b = steps.rbegin(); b != steps.rend(); ++b)
    if (*b != kept_sum_) way.visit(run, *b, view);
  if (kept_sum_ >= 0) {
    if (step + 1 < columns_->steps) step_up(run, step + 1, kept_sum_);
    bind_step(step);
    way.visit(run, kept_sum_, view);
  }
  way.end_step(run, view);
}

template <typename T>
bool Pass<T>::hides_styles(const Columns& columns) const {
  return plan_.circuit().styles > 1 && columns.styles.empty();
}

template <typename T>
void Pass<T>::take_each_style(const Columns& columns, std::int64_t first, std::int64_t count) {
  const std::int64_t styles = plan_.circuit().styles;
  const auto repeat = [&](const auto& from, auto& to) {
    to.clear();
    for (std::int64_t i = first; i < std::ssize(from); i += columns.count)
      for (std::int64_t row = 0; row < count; ++row)
        to.insert(to.end(), at(styles), from[at(i + row)]);
  };
  each_style_.count = count * styles;
  each_style_.steps = columns.steps;
  repeat(columns.x, each_style_.x);
  repeat(columns.reals, each_style_.reals);
  repeat(columns.lengths, each_style_.lengths);
  each_style_.regions = columns.regions;
  each_style_.styles.clear();
  for (std::int64_t c = 0; c < each_style_.count; ++c)
    each_style_.styles.push_back(static_cast<std::int32_t>(c % styles));
}

// For Over::largest, a row has the value of its most probable style.
template <typename T>
void Pass<T>::sum_styles(std::span<double> log_p) {
  const std::size_t styles = at(plan_.circuit().styles);
  shares_.assign(joint_.size(), 0);
  for (std::size_t row = 0; row < log_p.size(); ++row) {
    const std::span<const double> joint = std::span(joint_).subspan(row * styles, styles);
    const double largest = std::ranges::max(joint);
    log_p[row] = largest;
    if (!std::isfinite(largest)) continue;
    double sum = 0;
    for (std::size_t s = 0; s < styles; ++s)
      sum += shares_[row * styles + s] = det_exp(joint[s] - largest);
    if (settings_.over == Over::largest) continue;
    log_p[row] += det_log(sum);
    for (std::size_t s = 0; s < styles; ++s) shares_[row * styles + s] /= sum;
  }
}

template <typename T>
void Pass<T>::log_p(std::span<const T> theta, const Columns& columns, std::span<double> log_p) {
  if (settings_.arithmetic == Arithmetic::logarithms)
    return LogPass<T>(plan_, theta, columns).up(log_p);
  const Parameters parameters{.theta = theta};
  if (!hides_styles(columns)) {
    begin(columns, Use::up);
    return up(run_of(parameters), log_p);
  }
  const std::int64_t at_once =
      std::max<std::int64_t>(1, settings_.columns / plan_.circuit().styles);
  for (std::int64_t first = 0; first < columns.count; first += at_once) {
    const std::int64_t count = std::min(at_once, columns.count - first);
    take_each_style(columns, first, count);
    begin(each_style_, Use::up);
    joint_.resize(at(each_style_.count));
    up(run_of(parameters), joint_);
    sum_styles(log_p.subspan(at(first), at(count)));
  }
}

template <typename T>
void Pass<T>::add_slopes(std::span<const T> theta, const Columns& columns, std::span<double> log_p,
                         std::span<T> slopes) {
  if (settings_.arithmetic == Arithmetic::logarithms) {
    LogPass<T> pass(plan_, theta, columns);
    pass.up(log_p);
    return pass.down(slopes);
  }
  Slopes<T> way;
  go({.theta = theta, .slopes = slopes}, columns, log_p, way, Use::slopes);
}

template <typename T>
void Pass<T>::descend(const Parameters& parameters, const Columns& columns, std::span<double> log_p,
                      WayDown<T>& way) {
  go(parameters, columns, log_p, way, Use::down);
}

template <typename T>
void Pass<T>::go(const Parameters& parameters, const Columns& columns, std::span<double> log_p,
                 WayDown<T>& way, Use use) {
  const bool hidden = hides_styles(columns);
  if (hidden) take_each_style(columns, 0, columns.count);
  begin(hidden ? each_style_ : columns, use);
  joint_.resize(at(columns_->count));
  Run run = run_of(parameters);
  up(run, hidden ? std::span<double>(joint_) : log_p);
  if (hidden) {
    sum_styles(log_p.first(at(columns.count)));
    run.columns_of_row = plan_.circuit().styles;
    run.shares = shares_;
  }
  down(run, way);
}

template class Pass<float>;
template class Pass<double>;

}  // namespace logpx::pc
