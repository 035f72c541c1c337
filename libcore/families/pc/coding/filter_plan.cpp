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

}  // namespace

FilterPlan::FilterPlan(const PassPlan& passes)
    : passes_(passes),
      first_(passes.circuit().blocks.size(), last),
      visited_(passes.circuit().blocks.size()) {
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
      if (block.kind == BlockKind::leaf) first_[at(b)] = block.variable;
      else if (!block.children.empty()) first_[at(b)] = first_[at(in_order(block.children)[0])];
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
    case BlockKind::leaf: return visit_leaf(b, place);
    case BlockKind::sum: return visit_sum(b, place);
    case BlockKind::product: return visit_product(b, place);
    default: refuse(block, "mixes blocks node by node");
  }
}

void FilterPlan::visit_leaf(int b, const Place& place) {
  order_.push_back(passes_.block(b).variable);
  add({.kind = FilterAction::Kind::code, .block = b, .from = place.belief});
  if (place.message >= 0)
    add({.kind = FilterAction::Kind::tell, .block = b, .to = place.message, .size = size(b)});
}

void FilterPlan::visit_sum(int b, const Place& place) {
  const Block& block = passes_.block(b);
  if (block.children.size() != 1) refuse(block, "sums several blocks");
  const int child = block.children[0];
  const std::int64_t belief = place.free, message = belief + size(child);
  add({.kind = FilterAction::Kind::down,
       .block = b,
       .from = place.belief,
       .to = belief,
       .size = size(child)});
  const bool wanted = place.message >= 0;
  visit(child, {.belief = belief,
                .message = wanted ? message : -1,
                .free = wanted ? message + size(child) : message});
  if (wanted)
    add({.kind = FilterAction::Kind::up,
         .block = b,
         .from = message,
         .to = place.message,
         .size = size(b)});
}

std::vector<int> FilterPlan::in_order(const std::vector<int>& children) const {
  std::vector<int> sorted = children;
  std::ranges::stable_sort(sorted, {}, [&](int child) {
    const bool is_leaf = passes_.block(child).kind == BlockKind::leaf;
    return std::pair(!is_leaf, first_[at(child)]);
  });
  return sorted;
}

// The belief of a child: that of the product times the messages of the children before it.
void FilterPlan::visit_product(int b, const Place& place) {
  const Block& block = passes_.block(b);
  if (block.children.size() > 1 && block.product == ProductKind::kronecker)
    refuse(block, "multiplies every node with every other");
  const std::vector<int> children = in_order(block.children);
  const std::int64_t rows = size(b), message = place.free + rows;
  const bool wanted = place.message >= 0;
  std::int64_t belief = place.belief;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const bool first_one = i == 0, last_one = i + 1 == children.size();
    const bool is_leaf = passes_.block(children[i]).kind == BlockKind::leaf;
    std::int64_t told = -1;
    if (wanted) told = first_one ? place.message : message;
    else if (!last_one && !is_leaf) told = message;
    visit(children[i], {.belief = belief, .message = told, .free = message + rows});
    if (!last_one) {
      add({.kind = is_leaf ? FilterAction::Kind::observe : FilterAction::Kind::meet,
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

}  // namespace logpx::pc
