// Properties of a circuit's structure that decide which questions it answers.   [pc/README 2.3]
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <vector>

namespace logpx::pc {

// Variables in ascending order; all later steps of a chain count as one more variable.
using Scope = std::vector<int>;

// All need a circuit without faults; `scopes` are those of its blocks.
[[nodiscard]] bool splits_alike(const Circuit& circuit, const std::vector<Scope>& scopes);
[[nodiscard]] bool splits_into_single(const Circuit& circuit, const std::vector<Scope>& scopes);
[[nodiscard]] bool chooses_one_input(const Circuit& circuit);

}  // namespace logpx::pc
