// A circuit as a drawing for Graphviz: a box for each block.   [spec/pc.md section 9.18]
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <string>

namespace logpx::pc {

inline constexpr std::int64_t most_drawn = 2000;  // blocks

// Arrows go from a block to what it is made of; of a chain, a dashed one from the block that is
// carried to itself, a step later. A usage error for more blocks than anyone could look at.
[[nodiscard]] std::string draw_circuit(const Circuit& circuit);

}  // namespace logpx::pc
