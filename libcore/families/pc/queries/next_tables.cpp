#include "libcore/families/pc/queries/next_tables.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

// Only ratios between a column's states matter: the largest becomes 1.
template <typename T>
void weigh_anew(std::vector<T>& slope, std::int64_t columns) {
  for (std::int64_t c = 0; c < columns; ++c) {
    T largest = 0;
    for (std::size_t i = at(c); i < slope.size(); i += at(columns))
      largest = std::max(largest, slope[i]);
    if (largest > 0)
      for (std::size_t i = at(c); i < slope.size(); i += at(columns)) slope[i] /= largest;
  }
}

}  // namespace

std::vector<std::int64_t> reading_order(const Circuit& circuit) {
  std::vector<std::int64_t> order;
  std::vector<bool> seen(circuit.blocks.size()), met(circuit.variables.size());
  std::vector<int> waiting = {circuit.root};
  while (!waiting.empty()) {
    const int b = waiting.back();
    waiting.pop_back();
    if (seen[at(b)]) continue;
    seen[at(b)] = true;
    const Block& block = circuit.blocks[at(b)];
    waiting.insert(waiting.end(), block.children.rbegin(), block.children.rend());
    std::vector<int> own = block.variables;
    if (block.kind == BlockKind::leaf) own = {block.variable};
    for (const int variable : own) {
      if (met[at(variable)]) continue;
      met[at(variable)] = true;
      order.push_back(variable);
    }
  }
  return order;
}

template <typename T>
NextTables<T>::NextTables(const Circuit& chain, const Columns& observed,
                          std::vector<double>& tables)
    : LeafTables<T>(chain, observed, tables), observed_(observed), of_step_(chain.blocks.size()) {
  for (const int b : children_first(chain, chain.carried)) of_step_[at(b)] = true;
}

template <typename T>
void NextTables<T>::visit(const Work<T>& work, int b, const StepView& view) {
  if (!of_step_[at(b)]) return LeafTables<T>::visit(work, b, view);
  if (b != work.plan.circuit().carried) return;  // a step is read as a whole
  weigh_anew(work.of(b).slope, work.columns);
  weights_ = work.of(b).slope;
  const int variables = static_cast<int>(work.plan.circuit().variables.size());
  for (reading_ = 0; reading_ < variables; ++reading_) {
    descend(work, view);
    show(work, reading_, view);
  }
  descend(work, view);
}

template <typename T>
void NextTables<T>::at_leaf(const Work<T>& work, int b, const StepView& view) {
  if (work.plan.block(b).variable == reading_) LeafTables<T>::at_leaf(work, b, view);
}

template <typename T>
void NextTables<T>::descend(const Work<T>& work, const StepView& view) {
  const std::vector<int>& steps = work.plan.steps();
  for (const int b : steps) work.of(b).sloped = false;
  Message<T>& top = work.of(work.plan.circuit().carried);
  top.slope = weights_;
  top.sloped = true;
  for (auto b = steps.rbegin(); b != steps.rend(); ++b) LeafTables<T>::visit(work, *b, view);
}

// Computes the messages of a step with one more value known. Later steps stay unknown.
template <typename T>
void NextTables<T>::show(const Work<T>& work, int variable, const StepView& view) {
  const auto variables = std::ssize(work.plan.circuit().variables);
  for (const int b : work.plan.steps()) {
    const Block& block = work.plan.block(b);
    if (work.plan.is_later(b)) continue;
    switch (block.kind) {
      case BlockKind::leaf:
      case BlockKind::indicator:
        if (block.variable == variable)
          leaf_or_sum_message(work, b, observed_.of(view.step, variables, variable));
        break;
      case BlockKind::sum: sum_message(work, b); break;
      case BlockKind::mixing: mixing_message(work, b); break;
      case BlockKind::product: product_message(work, b); break;
      case BlockKind::joint:  // chains have none
      case BlockKind::carry: break;
    }
  }
}

template class NextTables<float>;
template class NextTables<double>;

}  // namespace logpx::pc
