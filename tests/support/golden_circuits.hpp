// Circuits of tests/golden/pc.json with their parameters in double.
#pragma once

#include "formats/json/value.hpp"
#include "tests/support/held_circuit.hpp"

namespace logpx::golden {

// Lists of whole numbers, -1 where a value is missing.
[[nodiscard]] testing::SymbolRows rows_of(const Json& list);
// From gamma, alpha and beta.
[[nodiscard]] testing::HeldCircuit dense_hmm(const Json& hmm);
// From parent, gamma, transition and leaf.
[[nodiscard]] testing::HeldCircuit tree(const Json& hclt);

}  // namespace logpx::golden
