#include "libcore/families/pc/structures/regions.hpp"

#include "libcore/base/index.hpp"

#include <map>
#include <string>
#include <utility>

namespace logpx::pc {
namespace {

std::int64_t power(std::int64_t base, std::size_t exponent) {
  std::int64_t value = 1;
  for (std::size_t i = 0; i < exponent; ++i) value *= base;
  return value;
}

class RegionCircuit {
 public:
  RegionCircuit(const std::vector<Variable>& variables, const RegionGraph& graph,
                const RegionForm& form)
      : graph_(graph),
        form_(form),
        blocks_(graph.regions.size(), -1),
        has_leaf_(variables.size()),
        leaves_(static_cast<int>(variables.size())) {
    circuit_.variables = variables;
    for (const std::int64_t m : form.sums.m) states_ *= m;
  }

  Circuit all() {
    const Region& whole = graph_.regions[at(graph_.root)];
    std::vector<int> inputs;
    std::int64_t nodes = 0;
    for (const std::vector<int>& parts : whole.partitions) inputs.push_back(product_of(parts));
    if (inputs.empty()) inputs.push_back(block_of(graph_.root));
    for (const int input : inputs) nodes += circuit_.blocks[at(input)].size;
    circuit_.root = add(Block::dense_sum("root", 1, inputs, nodes));
    return std::move(circuit_);
  }

 private:
  int add(Block block) {
    circuit_.blocks.push_back(std::move(block));
    return static_cast<int>(circuit_.blocks.size()) - 1;
  }
  // A name for one of similar blocks, whose numbers lie in one tensor.
  [[nodiscard]] std::string numbered(const std::string& what) const {
    return what + '.' + std::to_string(circuit_.blocks.size());
  }

  int block_of(int number) {
    if (blocks_[at(number)] >= 0) return blocks_[at(number)];
    const Region& region = graph_.regions[at(number)];
    std::vector<int> ways;
    for (const int variable : region.variables) ways.push_back(leaf_of(variable));
    if (ways.size() > 1) ways = {add(Block::hadamard(numbered("joint"), states_, ways))};
    for (const std::vector<int>& parts : region.partitions) ways.push_back(sum_of(parts));
    if (ways.size() > 1) {
      const std::string name = numbered("mix" + std::to_string(ways.size()));
      ways = {add(Block::mixing(name, states_, ways))};
    }
    return blocks_[at(number)] = ways[0];
  }

  int leaf_of(int variable) {
    const bool first = !has_leaf_[at(variable)];
    has_leaf_[at(variable)] = true;
    Block leaf =
        Block::leaf("leaf." + std::to_string(first ? variable : leaves_++), states_, variable);
    // One variable may have several leaves, which share nothing unless they are tied.
    if (form_.ties.tied == TieLeaves::none) return add(std::move(leaf));
    const auto [owner, added] = owners_.try_emplace(form_.ties.set_of(variable), -1);
    leaf.tied_to = owner->second;
    const int block = add(std::move(leaf));
    if (added) owner->second = block;
    return block;
  }

  int product_of(const std::vector<int>& parts) {
    std::vector<int> children;
    for (const int part : parts) children.push_back(block_of(part));
    const std::string name = numbered("product");
    if (form_.product == ProductKind::hadamard)
      return add(Block::hadamard(name, states_, std::move(children)));
    return add(Block::kronecker(name, power(states_, parts.size()), std::move(children)));
  }

  int sum_of(const std::vector<int>& parts) {
    MonarchFactors factors = form_.sums;
    if (form_.product == ProductKind::kronecker)
      for (std::int64_t& inputs : factors.n) inputs = power(inputs, parts.size());
    const int product = product_of(parts);
    const std::string name = numbered("sum" + std::to_string(parts.size()));
    return add(Block::sum(name, std::move(factors), {product}));
  }

  const RegionGraph& graph_;
  const RegionForm& form_;
  Circuit circuit_ = {};
  std::int64_t states_ = 1;
  std::vector<int> blocks_;  // by region
  std::vector<bool> has_leaf_;
  int leaves_;                      // of all kinds, but for the first of each variable
  std::map<int, int> owners_ = {};  // by set of variables that share leaves: its first leaf
};

}  // namespace

Circuit region_circuit(const std::vector<Variable>& variables, const RegionGraph& graph,
                       const RegionForm& form) {
  return RegionCircuit(variables, graph, form).all();
}

}  // namespace logpx::pc
