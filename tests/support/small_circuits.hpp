// Circuits so small that all their rows can be enumerated, one of every kind, and rows to ask them
// about.
#pragma once

#include "libcore/families/pc/queries/queries.hpp"
#include "tests/support/held_circuit.hpp"

#include <vector>

namespace logpx::testing {

struct SmallCircuit {
  const char* name;
  pc::Circuit circuit;
  SymbolRows rows;
};
[[nodiscard]] std::vector<SmallCircuit> small_circuits();

// A circuit with drawn parameters that answers queries in double.
struct AskedCircuit {
  AskedCircuit(const pc::Circuit& circuit, std::uint64_t seed);
  explicit AskedCircuit(HeldCircuit of);

  HeldCircuit held;
  pc::SymbolRows reader;
  pc::Queries queries;
};

// Shorter rows of a chain end early.
[[nodiscard]] Evidence evidence_of(const SymbolRows& rows);

}  // namespace logpx::testing
