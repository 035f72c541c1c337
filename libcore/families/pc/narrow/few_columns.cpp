#include "libcore/families/pc/narrow/few_columns.hpp"

#include "libcore/base/index.hpp"
#include "libcore/math/column_loops.hpp"

#include <algorithm>
#include <map>

namespace logpx::pc {

template <typename T>
void FewColumns<T>::begin(const Work<T>& work, Ways ways) {
  const Circuit& circuit = work.plan.circuit();
  keeps_ = ways == Ways::both;
  messages_.resize(circuit.blocks.size());
  distinct_.resize(circuit.variables.size());
  blank_.assign(circuit.variables.size(), {});
  std::map<int, std::vector<std::uint8_t>> known;  // by the block that owns the parameters
  for (const int leaf : work.plan.narrow_leaves()) {
    if (!work.plan.block(leaf).styled) continue;
    std::vector<std::uint8_t>& own = known[owner_of(circuit, leaf)];
    if (own.empty()) own = blank_values(work, leaf);
    std::vector<std::uint8_t>& blank = blank_[at(work.plan.block(leaf).variable)];
    if (blank.empty()) blank = own;
    for (std::size_t k = 0; k < own.size(); ++k) blank[k] &= own[k];
  }
}

// A styled leaf distinguishes styles only at values that one of its elements gives: slopes of
// parameters that are 0 are not needed.
template <typename T>
std::vector<std::uint8_t> FewColumns<T>::blank_values(const Work<T>& work, int leaf) const {
  const int variable = work.plan.block(leaf).variable;
  std::vector<T> most(at(work.plan.circuit().variables[at(variable)].categories), T{0});
  const T* p = work.parameters(leaf);
  const BlockRange range = work.plan.range(leaf, 0);
  for (std::int64_t begin = range.begin; begin < range.end; begin += std::ssize(most))
    for (T& value : most) value = std::max(value, *p++);
  std::vector<std::uint8_t> blank;
  for (const T value : most) blank.push_back(value > 0 ? 0 : 1);
  return blank;
}

template <typename T>
void FewColumns<T>::find(const Work<T>& work, const Columns& columns, std::int64_t step) {
  const auto variables = std::ssize(work.plan.circuit().variables);
  for (const int variable : work.plan.narrow_variables())
    tell_apart(work, variable, columns.of(step, variables, variable).x);
  for (std::size_t b = 0; b < messages_.size(); ++b) {
    if (!work.plan.narrow(static_cast<int>(b))) continue;
    const int variable = work.plan.narrow_variable(static_cast<int>(b));
    size_message(work.plan, static_cast<int>(b),
                 {.columns = std::ssize(distinct_[at(variable)].x), .keeps = keeps_}, messages_[b]);
    messages_[b].sloped = false;
  }
}

// Numbered in the order of their first occurrence.
template <typename T>
void FewColumns<T>::tell_apart(const Work<T>& work, int variable, const std::int32_t* x) {
  Distinct& to = distinct_[at(variable)];
  const std::vector<std::uint8_t>& blank = blank_[at(variable)];
  const std::int64_t values = work.plan.circuit().variables[at(variable)].categories + 1;
  to.place.resize(at(work.columns));
  to.x.clear();
  to.styles.clear();
  if (seen_.size() < at(values * work.plan.circuit().styles))
    seen_.assign(at(values * work.plan.circuit().styles), -1);
  const auto key = [&](std::int32_t style, std::int32_t value) {
    return at(style * values + value + 1);
  };
  for (std::int64_t c = 0; c < work.columns; ++c) {
    const bool alike = blank.empty() || (x[c] < 0 ? work.over == Over::sums : blank[at(x[c])] != 0);
    const std::int32_t style = alike ? 0 : work.styles[c];
    std::int32_t& place = seen_[key(style, x[c])];
    if (place < 0) {
      place = static_cast<std::int32_t>(to.x.size());
      to.x.push_back(x[c]);
      to.styles.push_back(style);
    }
    to.place[at(c)] = place;
  }
  for (std::size_t i = 0; i < to.x.size(); ++i) seen_[key(to.styles[i], to.x[i])] = -1;
}

template <typename T>
Work<T> FewColumns<T>::work_of(const Work<T>& work, int b) {
  const Distinct& distinct = distinct_[at(work.plan.narrow_variable(b))];
  return {.plan = work.plan,
          .theta = work.theta,
          .slopes = work.slopes,
          .columns = std::ssize(distinct.x),
          .messages = messages_,
          .room = work.room,
          .scratch = work.scratch,
          .over = work.over,
          .styles = distinct.styles.data(),
          .pruned = work.pruned};
}

template <typename T>
const std::int32_t* FewColumns<T>::values(const PassPlan& plan, int b) const {
  return distinct_[at(plan.narrow_variable(b))].x.data();
}

template <typename T>
void FewColumns<T>::spread(const Work<T>& work, int b) {
  const Distinct& distinct = distinct_[at(work.plan.narrow_variable(b))];
  const Message<T>& from = messages_[at(b)];
  Message<T>& to = work.of(b);
  const std::int32_t* const place = distinct.place.data();
  for (std::int64_t c = 0; c < work.columns; ++c) to.exponent[c] = from.exponent[place[c]];
  column_kernels<T>().copy({.rows = work.plan.block(b).size,
                            .few_columns = std::ssize(distinct.x),
                            .columns = work.columns,
                            .few = from.y,
                            .all = to.y,
                            .place = place});
}

template <typename T>
void FewColumns<T>::gather_slopes(const Work<T>& work, int b) {
  Message<T>& from = work.of(b);
  if (!from.sloped) return;
  const Distinct& distinct = distinct_[at(work.plan.narrow_variable(b))];
  column_kernels<T>().sum({.rows = work.plan.block(b).size,
                           .few_columns = std::ssize(distinct.x),
                           .columns = work.columns,
                           .few = slope_of(messages_[at(b)]),
                           .all = from.slope.data(),
                           .place = distinct.place.data()});
}

template class FewColumns<float>;
template class FewColumns<double>;

}  // namespace logpx::pc
