// What the structure of a circuit says of questions that it can answer.   [spec/pc.md section 2.3]
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <vector>

namespace logpx::pc {

// Variables, rising; what comes behind a step is one more.
using Scope = std::vector<int>;

// Of a circuit without faults, and the scopes of its blocks.
[[nodiscard]] bool splits_alike(const Circuit& circuit, const std::vector<Scope>& scopes);
[[nodiscard]] bool splits_into_single(const Circuit& circuit, const std::vector<Scope>& scopes);
[[nodiscard]] bool chooses_one_input(const Circuit& circuit);

}  // namespace logpx::pc
