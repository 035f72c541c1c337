// One circuit for every graph of regions.   [pc/README 4.5]
#pragma once

#include "libcore/families/pc/structures/region_graph.hpp"
#include "libcore/families/pc/structures/structures.hpp"

#include <vector>

namespace logpx::pc {

struct RegionForm {
  MonarchFactors sums;  // from hidden states to hidden states
  ProductKind product = ProductKind::hadamard;
  LeafTies ties = {};
};

// Every region has as many nodes as there are hidden states. A region of single variables is their
// leaves, node by node (joint.N); a partition is a sum over the product of its parts (sumK.N over
// product.N, where K is their number), and several partitions are mixed (mixK.N). The root sums the
// products of all its partitions.
//
// Leaves are leaf.V for variable V; where a variable has several, the others are counted on.
[[nodiscard]] Circuit region_circuit(const std::vector<Variable>& variables,
                                     const RegionGraph& graph, const RegionForm& form);

}  // namespace logpx::pc
