#include "libcore/families/pc/patterns/state_pass.hpp"

#include "libcore/base/index.hpp"
#include "libcore/math/column_loops.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace logpx::pc {
namespace {

constexpr std::size_t arrows_at_once = 256;

}  // namespace

StatePass::StatePass(const PassPlan& plan, std::span<const double> theta,
                     const Automaton& automaton)
    : plan_(plan), theta_(theta), automaton_(automaton), tables_(plan.circuit().blocks.size()) {
  find_parts();
  read_letters();
}

void StatePass::find_parts() {
  std::vector<bool> is_early(tables_.size()), is_border(tables_.size());
  for (const int b : plan_.steps()) {
    const Block& block = plan_.block(b);
    const auto early = [&](int child) { return bool{is_early[at(child)]}; };
    is_early[at(b)] = block.kind != BlockKind::carry && std::ranges::all_of(block.children, early);
    (is_early[at(b)] ? early_ : plan_.is_later(b) ? later_ : joint_).push_back(b);
  }
  for (const int b : joint_)
    for (const int child : plan_.block(b).children) is_border[at(child)] = true;
  for (const int b : early_)
    if (is_border[at(b)]) fronts_.push_back(b);
  for (const int b : later_)
    if (is_border[at(b)]) borders_.push_back(b);
}

// What each leaf gives each group of letters.
void StatePass::read_letters() {
  size(groups_, automaton_.groups(), Keeps::no);
  for (const int b : early_) {
    const Block& block = plan_.block(b);
    if (block.kind != BlockKind::leaf && block.kind != BlockKind::indicator) continue;
    if (block.kind == BlockKind::leaf) tables_[at(b)] = leaf_tables(work(groups_), b);
    Message<double>& message = groups_.messages[at(b)];
    std::fill_n(message.exponent, groups_.columns, 0);
    for (std::int64_t j = 0; j < block.size; ++j) {
      std::vector<double> sums;
      for (int g = 0; g < automaton_.groups(); ++g) {
        sums.push_back(0);
        for (const std::int32_t x : automaton_.members(g)) sums.back() += leaf_value(b, j, x);
      }
      // A letter that may be any counts as 1, to whatever digit the table is stored.
      const double total =
          block.kind == BlockKind::leaf ? std::accumulate(sums.begin(), sums.end(), 0.0) : 1.0;
      for (std::size_t g = 0; g < sums.size(); ++g)
        message.y[j * groups_.columns + static_cast<std::int64_t>(g)] = sums[g] / total;
    }
  }
  run(groups_, early_);
}

double StatePass::leaf_value(int b, std::int64_t node, std::int64_t x) const {
  const std::vector<double>& table = tables_[at(b)];
  if (table.empty()) return plan_.block(b).value == x ? 1 : 0;
  return table[at(node * automaton_.symbols() + x)];
}

void StatePass::size(Bench& bench, std::int64_t columns, Keeps keeps) const {
  bench.messages.resize(tables_.size());
  for (std::size_t b = 0; b < tables_.size(); ++b)
    size_message(plan_, static_cast<int>(b), {.columns = columns, .keeps = keeps == Keeps::inner},
                 bench.messages[b]);
  bench.room.resize(at(plan_.room(columns)));
  bench.columns = columns;
}

Work<double> StatePass::work(Bench& bench) const {
  return {.plan = plan_,
          .theta = theta_,
          .slopes = {},
          .columns = bench.columns,
          .messages = bench.messages,
          .room = bench.room,
          .scratch = {}};
}

// Leaves and the carry block have their messages already.
void StatePass::run(Bench& bench, std::span<const int> blocks) const {
  const Work<double> at_work = work(bench);
  for (const int b : blocks) switch (plan_.block(b).kind) {
      case BlockKind::sum: sum_message(at_work, b); break;
      case BlockKind::mixing: mixing_message(at_work, b); break;
      case BlockKind::product: product_message(at_work, b); break;
      case BlockKind::leaf:
      case BlockKind::joint:
      case BlockKind::indicator:
      case BlockKind::carry: break;
    }
}

void StatePass::set(Bench& bench, int block, const StateColumns& from) const {
  std::ranges::copy(from.y, bench.messages[at(block)].y);
  std::ranges::copy(from.exponent, bench.messages[at(block)].exponent);
}

// Messages of the leaves: a column for each group, or one for a letter that is there.
StatePass::Bench& StatePass::letters(std::int32_t x) {
  if (x < 0) return groups_;
  if (std::exchange(seen_letter_, x) == x) return seen_;
  size(seen_, 1, Keeps::no);
  for (const int b : early_) {
    if (!plan_.block(b).children.empty()) continue;
    for (std::int64_t j = 0; j < plan_.block(b).size; ++j)
      seen_.messages[at(b)].y[j] = leaf_value(b, j, x);
    seen_.messages[at(b)].exponent[0] = 0;
  }
  run(seen_, early_);
  return seen_;
}

Ahead StatePass::ahead_of_end() const {
  Ahead end;
  for (int state = 0; state < automaton_.states(); ++state)
    if (automaton_.accepts(state)) end.states.push_back(state);
  for (const int b : borders_)
    end.blocks.push_back(
        {.states = end.states,
         .y = std::vector<double>(at(plan_.block(b).size) * end.states.size(), 1.0),
         .exponent = std::vector<std::int64_t>(end.states.size())});
  return end;
}

Ahead StatePass::ahead_of(const StateColumns& next) {
  Ahead ahead{.states = next.states};
  if (next.empty()) return ahead;
  size(behind_, std::ssize(next.states), Keeps::no);
  set(behind_, plan_.carry(), next);
  run(behind_, later_);
  for (const int b : borders_) {
    const Message<double>& message = behind_.messages[at(b)];
    ahead.blocks.push_back({.states = next.states,
                            .y = {message.y, message.y + plan_.block(b).size * behind_.columns},
                            .exponent = {message.exponent, message.exponent + behind_.columns}});
  }
  return ahead;
}

std::int64_t StatePass::kept_rows() const {
  std::int64_t rows = 0;
  for (const int b : borders_) rows += plan_.block(b).size;
  return rows;
}

std::vector<Arrow> StatePass::arrows_of(const Ahead& ahead, std::int32_t x, int state) const {
  std::vector<Arrow> arrows;
  const int first = x < 0 ? 0 : automaton_.group_of(x),
            end = x < 0 ? automaton_.groups() : first + 1;
  for (int group = first; group < end; ++group) {
    const int next = automaton_.next(state, group);
    const auto found = std::ranges::lower_bound(ahead.states, next);
    if (next == Automaton::dead || found == ahead.states.end() || *found != next) continue;
    arrows.push_back({state, group, static_cast<int>(found - ahead.states.begin())});
  }
  return arrows;
}

// Gives each joined column one of a few.
void StatePass::spread(const FewColumnsOf& from, const std::vector<int>& place, int b) {
  Message<double>& to = joined_.messages[at(b)];
  for (std::size_t c = 0; c < place.size(); ++c) to.exponent[c] = from.exponent[place[c]];
  column_kernels<double>().copy({.rows = plan_.block(b).size,
                                 .few_columns = from.columns,
                                 .columns = joined_.columns,
                                 .few = const_cast<double*>(from.y),  // it only reads them
                                 .all = to.y,
                                 .place = place.data()});
}

// Blocks that read both a letter and later steps, with a column for each arrow.
void StatePass::join(const Ahead& ahead, std::int32_t x, std::span<const Arrow> arrows) {
  Bench& read = letters(x);
  size(joined_, std::ssize(arrows), Keeps::no);
  std::vector<int> groups, states;
  for (const Arrow& arrow : arrows) {
    groups.push_back(x < 0 ? arrow.group : 0);
    states.push_back(arrow.to);
  }
  for (const int b : fronts_) {
    const Message<double>& from = read.messages[at(b)];
    spread({from.y, from.exponent, read.columns}, groups, b);
  }
  for (std::size_t i = 0; i < borders_.size(); ++i) {
    const StateColumns& from = ahead.blocks[i];
    spread({from.y.data(), from.exponent.data(), std::ssize(ahead.states)}, states, borders_[i]);
  }
  run(joined_, joint_);
}

// Sums the columns of each state, and appends the states for which something is possible.
void StatePass::add_up(std::span<const Arrow> arrows, StateColumns& to) const {
  const Message<double>& from = joined_.messages[at(plan_.circuit().carried)];
  const std::int64_t size = plan_.block(plan_.circuit().carried).size;
  std::vector<double> largest(arrows.size());
  column_kernels<double>().largest(from.y, size, joined_.columns, largest.data());
  for (std::size_t begin = 0, end = 0; begin < arrows.size(); begin = end) {
    while (end < arrows.size() && arrows[end].state == arrows[begin].state) ++end;
    std::vector<std::size_t> possible;
    for (std::size_t c = begin; c < end; ++c)
      if (largest[c] > 0) possible.push_back(c);
    if (possible.empty()) continue;
    std::int64_t exponent = from.exponent[possible[0]];
    for (const std::size_t c : possible) exponent = std::max(exponent, from.exponent[c]);
    const std::size_t first = to.y.size();
    to.y.resize(first + at(size));
    for (const std::size_t c : possible) {
      const double factor = scaled_down(1.0, from.exponent[c] - exponent);
      for (std::int64_t j = 0; j < size; ++j)
        to.y[first + at(j)] += factor * from.y[j * joined_.columns + static_cast<std::int64_t>(c)];
    }
    to.states.push_back(arrows[begin].state);
    to.exponent.push_back(exponent);
  }
}

namespace {

// From columns one behind the other to columns side by side.
void lay_side_by_side(StateColumns& columns) {
  const std::size_t count = columns.states.size();
  if (count < 2) return;
  const std::size_t size = columns.y.size() / count;
  std::vector<double> y(columns.y.size());
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t j = 0; j < size; ++j) y[j * count + c] = columns.y[c * size + j];
  columns.y = std::move(y);
}

}  // namespace

StateColumns StatePass::carried(const Ahead& ahead, std::int32_t x, std::span<const int> states) {
  StateColumns all;
  std::vector<Arrow> some;
  const auto take = [&] {
    if (some.empty()) return;
    join(ahead, x, some);
    add_up(some, all);
    some.clear();
  };
  for (const int state : states) {
    const std::vector<Arrow> own = arrows_of(ahead, x, state);
    some.insert(some.end(), own.begin(), own.end());
    if (some.size() >= arrows_at_once) take();
  }
  take();
  lay_side_by_side(all);
  return all;
}

ScaledNumber StatePass::root(const StateColumns& first) {
  const Message<double>& root = head(first).of(plan_.circuit().root);
  return {root.y[0], root.exponent[0]};
}

void StatePass::fan_out(const Ahead& ahead, std::int32_t x, int state) {
  arrows_ = arrows_of(ahead, x, state);
  join(ahead, x, arrows_);
}

std::vector<double> StatePass::shares(std::int64_t node) const {
  const Message<double>& from = joined_.messages[at(plan_.circuit().carried)];
  std::vector<double> shares;
  std::int64_t exponent = std::numeric_limits<std::int64_t>::min();
  for (std::size_t c = 0; c < arrows_.size(); ++c) {
    shares.push_back(from.y[node * joined_.columns + static_cast<std::int64_t>(c)]);
    if (shares[c] > 0) exponent = std::max(exponent, from.exponent[c]);
  }
  for (std::size_t c = 0; c < arrows_.size(); ++c)
    if (shares[c] > 0) shares[c] *= scaled_down(1.0, from.exponent[c] - exponent);
  return shares;
}

StateColumns StatePass::sum_of_fan() {
  StateColumns sum;
  add_up(arrows_, sum);
  return sum;
}

Work<double> StatePass::step(std::int32_t x, int group, const StateColumns* next) {
  const Bench& read = letters(x);
  const std::int64_t column = x < 0 ? group : 0;
  size(one_, 1, Keeps::inner);
  for (const int b : early_) {
    if (!plan_.block(b).children.empty()) continue;
    for (std::int64_t j = 0; j < plan_.block(b).size; ++j)
      one_.messages[at(b)].y[j] = read.messages[at(b)].y[j * read.columns + column];
    one_.messages[at(b)].exponent[0] = 0;
  }
  run(one_, early_);
  if (next != nullptr) {
    set(one_, plan_.carry(), *next);
    run(one_, later_);
  }
  for (const int b : later_) {
    if (next != nullptr) break;
    std::fill_n(one_.messages[at(b)].y, plan_.block(b).size, 1.0);
    one_.messages[at(b)].exponent[0] = 0;
  }
  run(one_, joint_);
  return work(one_);
}

Work<double> StatePass::head(const StateColumns& first) {
  size(head_, 1, Keeps::inner);
  set(head_, plan_.circuit().carried, first);
  run(head_, plan_.head());
  return work(head_);
}

}  // namespace logpx::pc
