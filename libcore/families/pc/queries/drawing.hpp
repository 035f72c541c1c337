// A circuit as a drawing for Graphviz: a box for each block.   [pc/README 9.10]
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <string>

namespace logpx::pc {

inline constexpr std::int64_t most_drawn = 2000;  // blocks

// Arrows go from a block to its children; a chain has a dashed one from the carried block to itself
// a step later. Throws a usage error above most_drawn.
[[nodiscard]] std::string draw_circuit(const Circuit& circuit);

}  // namespace logpx::pc
