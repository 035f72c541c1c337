#include "libcore/families/pc/structures/table.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/choice.hpp"
#include "libcore/families/pc/structures/structures.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

// Puts a circuit over the same variables behind the blocks that are there; returns its root.
int append(const Circuit& part, const std::string& name, Circuit& to) {
  const auto first = static_cast<int>(to.blocks.size());
  for (Block block : part.blocks) {
    block.id = name + '.' + block.id;
    for (int& child : block.children) child += first;
    if (block.tied_to >= 0) block.tied_to += first;
    to.blocks.push_back(std::move(block));
  }
  return first + part.root;
}

// Clusters: a table for each column of words or few values, one gaussian over all numbers.
Circuit clusters(const std::vector<Variable>& variables, const std::vector<LeafKind>& kinds,
                 std::int64_t states) {
  Circuit circuit;
  circuit.variables = variables;
  std::vector<int> numbers, leaves;
  const auto add = [&](Block block) {
    circuit.blocks.push_back(std::move(block));
    return static_cast<int>(circuit.blocks.size()) - 1;
  };
  for (int v = 0; v < static_cast<int>(variables.size()); ++v) {
    if (variables[at(v)].categories == 0) numbers.push_back(v);
    else leaves.push_back(add(Block::leaf("leaf." + std::to_string(v), states, v, kinds[at(v)])));
  }
  if (!numbers.empty()) {
    leaves.push_back(add(Block::joint("numbers", states, numbers)));
    circuit.blocks.back().broad = true;
  }
  const int all = add(Block::hadamard("state", states, leaves));
  circuit.root = add(Block::dense_sum("root", 1, {all}, states));
  return circuit;
}

Circuit tree(const std::vector<Variable>& variables, const std::vector<LeafKind>& kinds,
             const std::vector<std::int32_t>& parents, std::int64_t states) {
  Circuit circuit = hidden_tree(variables, parents, {.transition = square_sum(states, {})});
  set_leaves(kinds, circuit);
  for (Block& block : circuit.blocks)
    block.broad = block.kind == BlockKind::leaf && states > 1 &&
                  variables[at(block.variable)].categories == 0;
  return circuit;
}

}  // namespace

std::vector<std::string> table_parts(const TableForm& form) {
  std::vector<std::string> parts;
  for (std::int64_t i = 1; i <= form.trees; ++i) parts.push_back("tree" + std::to_string(i));
  for (std::int64_t i = 1; i <= form.blocks; ++i) parts.push_back("block" + std::to_string(i));
  return parts;
}

void require_few_numbers(std::int64_t numbers, const TableForm& form) {
  if (form.blocks > 0 && numbers > most_joint_variables)
    fail(ErrorKind::usage, "--blocks",
         "has gaussians over at most " + std::to_string(most_joint_variables) +
             " numbers, and there are " + std::to_string(numbers),
         "--blocks 0");
}

Circuit table_circuit(const std::vector<Variable>& variables, const std::vector<LeafKind>& kinds,
                      const std::vector<std::int32_t>& parents, const TableForm& form) {
  Circuit circuit;
  circuit.variables = variables;
  std::vector<int> roots;
  const std::vector<std::string> names = table_parts(form);
  for (std::size_t i = 0; i < names.size(); ++i)
    roots.push_back(append(static_cast<std::int64_t>(i) < form.trees
                               ? tree(variables, kinds, parents, form.tree_states)
                               : clusters(variables, kinds, form.block_states),
                           names[i], circuit));
  const auto parts = std::ssize(roots);
  circuit.blocks.push_back(Block::dense_sum("root", 1, std::move(roots), parts));
  circuit.root = static_cast<int>(circuit.blocks.size()) - 1;
  return circuit;
}

}  // namespace logpx::pc
