#include "libcore/families/pc/circuit/circuit.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/joint_gaussian.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace logpx::pc {
namespace {

// Blocks whose parameters lie in one tensor.
struct Stack {
  std::int64_t blocks = 0;
  std::vector<int> tensors = {};
};

// "leaf" for "leaf.12"; "" for an id without a number behind a dot.
std::string prefix_of(const std::string& id) {
  const std::size_t dot = id.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == id.size()) return "";
  const bool number = std::all_of(id.begin() + static_cast<std::ptrdiff_t>(dot) + 1, id.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  return number ? id.substr(0, dot) : "";
}

std::vector<TensorForm> leaf_forms(const std::string& path, const Block& block,
                                   const Variable& variable) {
  const std::unique_ptr<Leaf> leaf = make_leaf(block.leaf_kind, variable.categories);
  if (leaf == nullptr) return {{path + 'p', {block.size, variable.categories}}};
  return {{path + 'q', {block.size, leaf->parameters()}},
          {path + 's', {block.size, leaf->statistics()}}};
}

std::vector<TensorForm> joint_forms(const std::string& path, const Block& block) {
  const JointForm form{std::ssize(block.variables)};
  return {{path + 'q', {block.size, form.parameters()}},
          {path + 's', {block.size, form.statistics()}}};
}

std::string suffix_of(const std::string& name) { return name.substr(name.rfind('/') + 1); }

Shape stacked(std::int64_t count, const Shape& shape) {
  std::vector<std::int64_t> sizes = {count};
  for (const std::int64_t size : shape.sizes()) sizes.push_back(size);
  return Shape(std::span<const std::int64_t>(sizes));
}

// By prefix: groups of at least two similar blocks, unless a block has the prefix as its id.
std::map<std::string, Stack> find_stacks(const Circuit& circuit) {
  std::map<std::string, Stack> stacks;
  std::map<std::string, std::vector<Shape>> shapes;
  std::set<std::string> unlike;
  for (const Block& block : circuit.blocks) {
    unlike.insert(block.id);
    const std::string prefix = prefix_of(block.id);
    std::vector<Shape> own;
    for (const TensorForm& form : tensor_forms(circuit, block)) own.push_back(form.shape);
    if (prefix.empty() || own.empty() || block.tied_to >= 0) continue;
    if (shapes.try_emplace(prefix, own).first->second != own) unlike.insert(prefix);
    ++stacks[prefix].blocks;
  }
  std::erase_if(stacks, [&](const auto& stack) {
    return stack.second.blocks < 2 || unlike.contains(stack.first);
  });
  return stacks;
}

}  // namespace

Block Block::leaf(std::string id, std::int64_t size, int variable, LeafKind kind) {
  return {.id = std::move(id),
          .kind = BlockKind::leaf,
          .size = size,
          .variable = variable,
          .leaf_kind = kind};
}

Block Block::joint(std::string id, std::int64_t size, std::vector<int> variables) {
  return {.id = std::move(id),
          .kind = BlockKind::joint,
          .size = size,
          .variables = std::move(variables),
          .leaf_kind = LeafKind::gaussian};
}

Block Block::indicator(std::string id, int variable, std::int64_t value) {
  return {.id = std::move(id),
          .kind = BlockKind::indicator,
          .size = 1,
          .variable = variable,
          .value = value};
}

Block Block::sum(std::string id, MonarchFactors factors, std::vector<int> children) {
  std::int64_t size = 1;
  for (const std::int64_t m : factors.m) size *= m;
  return {.id = std::move(id),
          .kind = BlockKind::sum,
          .size = size,
          .children = std::move(children),
          .factors = std::move(factors)};
}

Block Block::dense_sum(std::string id, std::int64_t size, std::vector<int> children,
                       std::int64_t inputs) {
  return sum(std::move(id), {.m = {size}, .n = {inputs}, .program = {}}, std::move(children));
}

Block Block::mixing(std::string id, std::int64_t size, std::vector<int> children) {
  return {.id = std::move(id),
          .kind = BlockKind::mixing,
          .size = size,
          .children = std::move(children)};
}

Block Block::hadamard(std::string id, std::int64_t size, std::vector<int> children) {
  return {.id = std::move(id),
          .kind = BlockKind::product,
          .size = size,
          .children = std::move(children)};
}

Block Block::kronecker(std::string id, std::int64_t size, std::vector<int> children) {
  Block block = hadamard(std::move(id), size, std::move(children));
  block.product = ProductKind::kronecker;
  return block;
}

Block Block::carry(std::string id, std::int64_t size) {
  return {.id = std::move(id), .kind = BlockKind::carry, .size = size};
}

int Circuit::carry() const {
  const auto found = std::ranges::find(blocks, BlockKind::carry, &Block::kind);
  return found == blocks.end() ? -1 : static_cast<int>(found - blocks.begin());
}

bool Circuit::has_reals() const {
  return std::ranges::find(variables, 0, &Variable::categories) != variables.end();
}

std::vector<std::string> Circuit::densities() const {
  std::vector<std::string> names;
  for (const Variable& variable : variables)
    if (variable.categories == 0 && !variable.whole) names.push_back(variable.name);
  return names;
}

bool Circuit::has_own_values() const {
  return std::ranges::any_of(variables,
                             [](const Variable& one) { return one.open || !one.values.empty(); });
}

std::vector<int> children_first(const Circuit& circuit, int top) {
  enum class Seen : std::uint8_t { no, open, done, bad };
  std::vector<Seen> seen(circuit.blocks.size(), Seen::no);
  std::vector<int> order;
  std::vector<std::pair<int, std::size_t>> path;  // a block, and which of its children is next
  const auto enter = [&](int block) {
    seen[at(block)] = Seen::open;
    path.emplace_back(block, 0);
  };
  enter(top);
  while (!path.empty()) {
    const int block = path.back().first;
    const std::vector<int>& children = circuit.blocks[at(block)].children;
    if (const std::size_t next = path.back().second++; next < children.size()) {
      const int child = children[next];
      if (seen[at(child)] == Seen::no) enter(child);
      else if (seen[at(child)] == Seen::open) seen[at(child)] = Seen::bad;
      continue;
    }
    const bool bad = seen[at(block)] == Seen::bad || std::ranges::any_of(children, [&](int child) {
                       return seen[at(child)] != Seen::done;
                     });
    seen[at(block)] = bad ? Seen::bad : Seen::done;
    if (!bad) order.push_back(block);
    path.pop_back();
  }
  return order;
}

std::vector<TensorForm> tensor_forms(const Circuit& circuit, const Block& block) {
  const std::string path = block.id + '/';
  switch (block.kind) {
    case BlockKind::leaf:
      if (block.styled)
        return {{path + 'p',
                 {circuit.styles, block.size, circuit.variables[at(block.variable)].categories}}};
      return leaf_forms(path, block, circuit.variables[at(block.variable)]);
    case BlockKind::joint: return joint_forms(path, block);
    case BlockKind::mixing: return {{path + 'w', {block.size, std::ssize(block.children)}}};
    case BlockKind::product:
    case BlockKind::indicator:
    case BlockKind::carry: return {};
    case BlockKind::sum: break;
  }
  if (block.is_dense()) return {{path + 'w', {block.factors.m[0], block.factors.n[0]}}};
  std::vector<TensorForm> forms;
  const Monarch form(block.factors);
  for (const MonarchLayer& layer : form.layers())
    forms.push_back(
        {path + 'a' + std::to_string(forms.size() + 1), {layer.blocks, layer.m, layer.n}});
  return forms;
}

TensorUse use_of(std::string_view tensor_name) {
  if (tensor_name.ends_with("/q")) return TensorUse::parameters;
  return tensor_name.ends_with("/s") ? TensorUse::statistics : TensorUse::rows;
}

int owner_of(const Circuit& circuit, int block) {
  const int tied = circuit.blocks[at(block)].tied_to;
  return tied < 0 ? block : tied;
}

std::vector<std::vector<TensorPlace>> add_tensors(const Circuit& circuit, ParamSet& params) {
  const std::map<std::string, Stack> stacks = find_stacks(circuit);
  std::map<std::string, Stack> filled;
  std::vector<std::vector<TensorPlace>> places(circuit.blocks.size());
  for (std::size_t b = 0; b < places.size(); ++b) {
    const Block& block = circuit.blocks[b];
    if (block.tied_to >= 0) continue;
    const std::vector<TensorForm> forms = tensor_forms(circuit, block);
    const auto stack = stacks.find(prefix_of(block.id));
    if (stack == stacks.end()) {
      for (const TensorForm& form : forms)
        places[b].push_back({params.add(form.name, form.shape), 0, form.shape});
      continue;
    }
    Stack& mine = filled[stack->first];
    for (std::size_t t = 0; t < forms.size(); ++t) {
      if (mine.blocks == 0)
        mine.tensors.push_back(params.add(stack->first + '/' + suffix_of(forms[t].name),
                                          stacked(stack->second.blocks, forms[t].shape)));
      places[b].push_back(
          {mine.tensors[t], mine.blocks * forms[t].shape.elements(), forms[t].shape});
    }
    ++mine.blocks;
  }
  for (std::size_t b = 0; b < places.size(); ++b)
    if (circuit.blocks[b].tied_to >= 0) places[b] = places[at(circuit.blocks[b].tied_to)];
  if (circuit.styles > 1) {
    params.add(style_prior_tensor, {circuit.styles});
    params.add(style_values_tensor, {circuit.styles, circuit.variables[0].categories});
  }
  return places;
}

}  // namespace logpx::pc
