// Whether blocks are a circuit that computes probabilities, and what can be said of it.
// [spec/pc.md section 2.3]
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::pc {

struct Fault {
  std::string block;  // its id; empty: of the circuit
  std::string text;
  friend bool operator==(const Fault&, const Fault&) = default;
};
// All of them: sizes, references, cycles, sums over different variables, products of the same
// variable, blocks and variables that the root does not reach.
[[nodiscard]] std::vector<Fault> find_faults(const Circuit& circuit);
// A data error that lists them.
void require_valid(const Circuit& circuit, const std::string& name);

// Parameters that are no distribution: not finite, below 0, or rows that do not sum to 1. One fault
// for each tensor, `block` is its name.
template <typename T>
[[nodiscard]] std::vector<Fault> find_weight_faults(const ParamSet& layout,
                                                    std::span<const T> theta);

// Of a circuit without faults.
struct CircuitFacts {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;                // of sums
  std::int64_t parameters = 0;           // those that are tied count once
  std::int64_t depth = 0;                // edges of the longest way from the root to a leaf
  bool structured_decomposable = false;  // variables are always split in the same way
  bool omni_compatible = false;          // products are of single variables: any split goes
  // Of every sum at most one input is not 0, by the values of indicators, whatever the weights are.
  bool deterministic = false;
};
[[nodiscard]] CircuitFacts facts_of(const Circuit& circuit);

}  // namespace logpx::pc
