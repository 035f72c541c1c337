// The circuit of a table: trees of hidden states beside mixtures of blocks, in which gaussians join
// all numbers.   [pc/README 4.7]
//
//   root = sum of tree1.root .. tree4.root, block1.root .. block3.root
//
// The parts have all variables each, and learn alone.
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::pc {

struct TableForm {
  std::int64_t trees = 0, tree_states = 0;
  std::int64_t blocks = 0, block_states = 0;
};

// Refuses clusters where a table has more columns of numbers than one gaussian joins.
void require_few_numbers(std::int64_t numbers, const TableForm& form);

// parents: of the trees, by variable; not read where there are none.
[[nodiscard]] Circuit table_circuit(const std::vector<Variable>& variables,
                                    const std::vector<LeafKind>& kinds,
                                    const std::vector<std::int32_t>& parents,
                                    const TableForm& form);

// "tree1.root" and so on, in the order of the root's inputs.
[[nodiscard]] std::vector<std::string> table_parts(const TableForm& form);

}  // namespace logpx::pc
