#include "libcore/families/pc/passes/plan.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <utility>

namespace logpx::pc {

PassPlan::PassPlan(Circuit circuit, ParamSet& params)
    : circuit_(std::move(circuit)),
      carry_(circuit_.carry()),
      later_(circuit_.blocks.size()),
      rescales_(circuit_.blocks.size()),
      spreads_(circuit_.blocks.size()),
      narrow_(circuit_.blocks.size(), -1),
      tensors_(add_tensors(circuit_, params)),
      offsets_(circuit_.blocks.size()),
      forms_(circuit_.blocks.size()),
      leaves_(circuit_.blocks.size()),
      joints_(circuit_.blocks.size()) {
  std::vector<bool> of_step(circuit_.blocks.size());
  if (circuit_.chained()) steps_ = children_first(circuit_, circuit_.carried);
  for (const int b : steps_) of_step[at(b)] = true;
  for (const int b : children_first(circuit_, circuit_.root))
    if (!of_step[at(b)]) head_.push_back(b);
  for (std::size_t b = 0; b < circuit_.blocks.size(); ++b) {
    const Block& one = circuit_.blocks[b];
    if (one.kind == BlockKind::sum) forms_[b].emplace(one.factors);
    if (one.kind == BlockKind::leaf)
      leaves_[b] = make_leaf(one.leaf_kind, circuit_.variables[at(one.variable)].categories);
    if (one.kind == BlockKind::joint) joints_[b].emplace(std::ssize(one.variables));
    if (one.kind == BlockKind::product) rescales_[b] = true;
    for (const TensorPlace& place : tensors_[b])
      offsets_[b].push_back(params.infos()[at(place.tensor)].offset + place.begin);
    const auto is_sum = [](const Block& some) {
      return some.kind == BlockKind::sum || some.kind == BlockKind::mixing;
    };
    if (is_sum(one))
      for (const int child : one.children)
        if (is_sum(block(child))) rescales_[at(child)] = true;
  }
  if (circuit_.styles > 1) {
    const auto range_of = [&](const ParamInfo& info) {
      return BlockRange{info.offset, info.offset + info.shape.elements()};
    };
    style_prior_ = range_of(params.infos()[at(params.count() - 2)]);
    style_values_ = range_of(params.infos()[at(params.count() - 1)]);
  }
  find_later();
  find_narrow();
  count_rows();
}

void PassPlan::find_narrow() {
  std::vector<int> order = steps_;
  order.insert(order.end(), head_.begin(), head_.end());
  const auto of_variable = [&](int b) {
    const bool table = block(b).kind == BlockKind::leaf && leaf(b) == nullptr;
    return table || block(b).kind == BlockKind::indicator;
  };
  const auto is_narrow = [&](int b) { return of_variable(b) || narrow(b); };
  for (const int b : order) {
    const Block& one = block(b);
    if (one.kind == BlockKind::leaf && of_variable(b)) narrow_[at(b)] = one.variable;
    const bool mixes_parts = b == circuit_.root && one.children.size() > 1;
    if (one.kind != BlockKind::sum || mixes_parts || !std::ranges::all_of(one.children, is_narrow))
      continue;
    for (const int child : one.children)
      if (of_variable(child)) narrow_[at(child)] = block(child).variable;
    narrow_[at(b)] = narrow_[at(one.children[0])];
  }
  for (const int b : order) {
    if (!narrow(b))
      for (const int child : block(b).children) spreads_[at(child)] = narrow(child);
    if (b == circuit_.root || b == circuit_.carried) spreads_[at(b)] = narrow(b);
    if (narrow(b) && of_variable(b)) narrow_leaves_.push_back(b);
  }
  for (const int b : narrow_leaves_) narrow_variables_.push_back(block(b).variable);
  std::ranges::sort(narrow_variables_);
  const auto twice = std::unique(narrow_variables_.begin(), narrow_variables_.end());
  narrow_variables_.erase(twice, narrow_variables_.end());
}

void PassPlan::find_later() {
  for (const int b : steps_) {
    const Block& one = block(b);
    later_[at(b)] = one.kind == BlockKind::carry ||
                    (!one.children.empty() &&
                     std::ranges::all_of(one.children, [&](int child) { return is_later(child); }));
  }
  std::vector<int> readers;
  for (const int b : steps_)
    if (std::ranges::count(block(b).children, carry_) > 0) readers.push_back(b);
  if (readers.size() != 1 || readers[0] == circuit_.carried || rescales(readers[0])) return;
  const Block& one = block(readers[0]);
  if (one.kind == BlockKind::sum && one.children.size() == 1) later_sum_ = readers[0];
}

void PassPlan::count_rows() {
  for (std::size_t b = 0; b < circuit_.blocks.size(); ++b) {
    const Block& one = circuit_.blocks[b];
    std::int64_t inputs = 0;
    for (const int child : one.children) inputs += block(child).size;
    message_rows_ += (spreads_[b] ? 4 : 2) * one.size;
    if (one.kind == BlockKind::sum) message_rows_ += forms_[b]->inner_rows();
    const bool joins = one.kind == BlockKind::mixing || one.kind == BlockKind::sum;
    if (joins && one.children.size() > 1) message_rows_ += inputs;
    if (one.kind == BlockKind::product)  // partial products that it keeps
      message_rows_ += (std::ssize(one.children) - 1) * (one.size + 1);
    widest_ = std::max({widest_, one.size, joins ? inputs : 0});
  }
}

std::int64_t PassPlan::room(std::int64_t columns) const {
  std::int64_t most = 0;
  for (const auto& form : forms_)
    if (form) most = std::max(most, form->room(columns));
  return most;
}

std::int64_t PassPlan::step_edges() const {
  std::int64_t edges = 0;
  for (const int b : steps_.empty() ? head_ : steps_) {
    if (block(b).kind == BlockKind::sum) edges += form(b).edges();
    if (const JointForm* const form = joint(b)) edges += block(b).size * form->triangle();
    if (block(b).kind == BlockKind::mixing) edges += block(b).size * std::ssize(block(b).children);
  }
  return edges;
}

}  // namespace logpx::pc
