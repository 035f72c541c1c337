#include "libcore/families/pc/circuit/circuit.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <utility>

namespace logpx::pc {

Block Block::leaf(std::string id, std::int64_t size, int variable) {
  return {.id = std::move(id), .kind = BlockKind::leaf, .size = size, .variable = variable};
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
      return {{path + 'p', {block.size, circuit.variables[at(block.variable)].categories}}};
    case BlockKind::mixing: return {{path + 'w', {block.size, std::ssize(block.children)}}};
    case BlockKind::product:
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

int owner_of(const Circuit& circuit, int block) {
  const int tied = circuit.blocks[at(block)].tied_to;
  return tied < 0 ? block : tied;
}

std::vector<std::vector<int>> add_tensors(const Circuit& circuit, ParamSet& params) {
  std::vector<std::vector<int>> tensors(circuit.blocks.size());
  for (std::size_t b = 0; b < tensors.size(); ++b) {
    const Block& block = circuit.blocks[b];
    if (block.tied_to >= 0) continue;
    for (TensorForm& form : tensor_forms(circuit, block))
      tensors[b].push_back(params.add(std::move(form.name), form.shape));
  }
  for (std::size_t b = 0; b < tensors.size(); ++b)
    if (circuit.blocks[b].tied_to >= 0) tensors[b] = tensors[at(circuit.blocks[b].tied_to)];
  return tensors;
}

}  // namespace logpx::pc
