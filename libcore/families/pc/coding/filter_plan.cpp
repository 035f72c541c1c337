#include "libcore/families/pc/coding/filter_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace logpx::pc {
namespace {

constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void refuse(const Block& block, const std::string& what) {
  fail(ErrorKind::data, "",
       "has a block \"" + block.id + "\" that " + what +
           ", and only trees of blocks are coded symbol by symbol",
       "train-pc --structure hclt");
}

bool is_leaf(const Block& block) {
  return block.kind == BlockKind::leaf || block.kind == BlockKind::indicator;
}

bool is_kronecker(const Block& block) {
  return block.kind == BlockKind::product && block.children.size() > 1 &&
         block.product == ProductKind::kronecker;
}

}  // namespace

std::vector<int> leaves_of(const Circuit& circuit, int block) {
  if (is_leaf(circuit.blocks[at(block)])) return {block};
  return circuit.blocks[at(block)].children;
}

FilterPlan::FilterPlan(const PassPlan& passes)
    : passes_(passes),
      first_(passes.circuit().blocks.size(), last),
      visited_(passes.circuit().blocks.size()),
      actions_(&begin_) {
  const Circuit& circuit = passes.circuit();
  find_first_variables();
  const std::int64_t entry =
      std::max(size(circuit.root), circuit.chained() ? size(passes.carry()) : 0);
  rows_ = entry;
  if (!circuit.chained()) actions_ = &step_;
  visit(circuit.root, {.free = entry});
  if (!circuit.chained()) return;
  if (!order_.empty())
    refuse(passes.block(circuit.root), "sees symbols besides those of the steps");
  actions_ = &step_;
  visited_[at(circuit.carried)] = false;
  visit(circuit.carried, {.free = entry});
}

void FilterPlan::find_first_variables() {
  const auto find = [&](const std::vector<int>& blocks) {
    for (const int b : blocks) {
      const Block& block = passes_.block(b);
      if (is_leaf(block)) first_[at(b)] = block.variable;
      else if (!block.children.empty()) first_[at(b)] = first_[at(in_order(block)[0])];
    }
  };
  find(passes_.steps());
  find(passes_.head());
}

void FilterPlan::add(FilterAction action) {
  rows_ = std::max(rows_, action.to + action.size);
  actions_->push_back(action);
}

void FilterPlan::visit(int b, const Place& place) {
  const Block& block = passes_.block(b);
  if (visited_[at(b)]) refuse(block, "stands under several others");
  visited_[at(b)] = true;
  const bool in_head = actions_ == &begin_;
  if (block.kind == BlockKind::carry || (in_head && b == passes_.circuit().carried))
    return add({.kind = FilterAction::Kind::hand_on, .from = place.belief, .size = block.size});
  switch (block.kind) {
    case BlockKind::leaf:
    case BlockKind::indicator: return visit_leaves(b, place);
    case BlockKind::sum: return visit_sum(b, place);
    case BlockKind::product: return visit_product(b, place);
    case BlockKind::joint: refuse(block, "is a leaf of several variables");
    default: refuse(block, "mixes blocks node by node");
  }
}

void FilterPlan::visit_leaves(int b, const Place& place) {
  const std::vector<int> leaves = leaves_of(passes_.circuit(), b);
  std::int64_t nodes = 0;
  for (const int leaf : leaves) nodes += size(leaf);
  order_.push_back(passes_.block(leaves[0]).variable);
  add({.kind = FilterAction::Kind::code, .block = b, .from = place.belief});
  if (place.message >= 0)
    add({.kind = FilterAction::Kind::tell, .block = b, .to = place.message, .size = nodes});
}

void FilterPlan::visit_sum(int b, const Place& place) {
  const std::vector<int>& children = passes_.block(b).children;
  const bool of_leaves =
      std::ranges::all_of(children, [&](int child) { return is_leaf(passes_.block(child)); });
  if (children.size() != 1 && !of_leaves) refuse(passes_.block(b), "sums several blocks");
  std::int64_t inputs = 0;
  for (const int child : children) inputs += size(child);
  const std::int64_t belief = place.free, message = belief + inputs;
  add({.kind = FilterAction::Kind::down,
       .block = b,
       .from = place.belief,
       .to = belief,
       .size = inputs});
  const bool wanted = place.message >= 0;
  const Place below{.belief = belief,
                    .message = wanted ? message : -1,
                    .free = wanted ? message + inputs : message};
  if (of_leaves) visit_leaves(b, below);
  else visit(children[0], below);
  if (wanted)
    add({.kind = FilterAction::Kind::up,
         .block = b,
         .from = message,
         .to = place.message,
         .size = size(b)});
}

std::vector<int> FilterPlan::in_order(const Block& block) const {
  std::vector<int> sorted = block.children;
  if (is_kronecker(block)) return sorted;
  std::ranges::stable_sort(sorted, {}, [&](int child) {
    return std::pair(!is_leaf(passes_.block(child)), first_[at(child)]);
  });
  return sorted;
}

// A child's belief is that of the product times the messages of the children before it.
void FilterPlan::visit_product(int b, const Place& place) {
  const Block& block = passes_.block(b);
  if (is_kronecker(block) && passes_.circuit().chained())
    refuse(block, "multiplies every node with every other in a chain");
  if (is_kronecker(block)) return visit_pairs(b, place);
  const std::vector<int> children = in_order(block);
  const std::int64_t rows = size(b), message = place.free + rows;
  const bool wanted = place.message >= 0;
  std::int64_t belief = place.belief;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const bool first_one = i == 0, last_one = i + 1 == children.size();
    const bool observes = passes_.block(children[i]).kind == BlockKind::leaf;
    std::int64_t told = -1;
    if (wanted) told = first_one ? place.message : message;
    else if (!last_one && !observes) told = message;
    visit(children[i], {.belief = belief, .message = told, .free = message + rows});
    if (!last_one) {
      add({.kind = observes ? FilterAction::Kind::observe : FilterAction::Kind::meet,
           .block = children[i],
           .from = belief,
           .with = told,
           .to = place.free,
           .size = rows});
      belief = place.free;
    }
    if (wanted && !first_one)
      add({.kind = FilterAction::Kind::meet,
           .from = place.message,
           .with = message,
           .to = place.message,
           .size = rows});
  }
}

// The belief of a Kronecker product has an axis for each child, the first one slowest. A child's
// own belief sums over those behind it; what it says takes its axis away.
void FilterPlan::visit_pairs(int b, const Place& place) {
  const std::vector<int>& children = passes_.block(b).children;
  const bool wanted = place.message >= 0;
  std::int64_t free = place.free;
  const auto rows = [&free](std::int64_t count) { return std::exchange(free, free + count); };
  std::int64_t left = place.belief, rest = size(b), said = -1, nodes = 1;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const bool last_one = i + 1 == children.size();
    const std::int64_t states = size(children[i]);
    rest /= states;
    const std::int64_t belief = last_one ? left : rows(states),
                       told = wanted || !last_one ? rows(states) : -1;
    if (!last_one)
      add({.kind = FilterAction::Kind::fold,
           .from = left,
           .with = -1,
           .to = belief,
           .size = states,
           .states = rest});
    visit(children[i], {.belief = belief, .message = told, .free = free});
    if (!last_one) {
      const std::int64_t before = std::exchange(left, rows(rest));
      add({.kind = FilterAction::Kind::fold,
           .from = before,
           .with = told,
           .to = left,
           .size = rest,
           .states = states,
           .inner = rest});
    }
    if (!wanted) continue;
    if (i == 0) {
      said = told;
    } else {
      const std::int64_t to = last_one ? place.message : rows(nodes * states);
      add({.kind = FilterAction::Kind::join,
           .from = said,
           .with = told,
           .to = to,
           .size = nodes * states,
           .states = states});
      said = to;
    }
    nodes *= states;
  }
}

}  // namespace logpx::pc
