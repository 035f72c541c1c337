// Whether blocks make a circuit that computes probabilities, and facts about it.
// [pc/README 2.3]
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::pc {

struct Fault {
  std::string block;  // its id; empty: the circuit as a whole
  std::string text;
  friend bool operator==(const Fault&, const Fault&) = default;
};
// All faults: sizes, references, cycles, sums over different variables, products that share a
// variable, blocks and variables that the root does not reach.
[[nodiscard]] std::vector<Fault> find_faults(const Circuit& circuit);
// Throws a data error that lists all faults.
void require_valid(const Circuit& circuit, const std::string& name);

// Why a circuit answers for log p of rows alone: it is a product that is not normalised. Else "".
[[nodiscard]] std::string only_scores(const Circuit& circuit);

// Parameters that are not finite, below 0, or in rows that do not sum to 1: one fault for each
// tensor, named by `block`. Rows of sums may be free to have any sum.
enum class SumRows { normalised, free };
template <typename T>
[[nodiscard]] std::vector<Fault> find_weight_faults(const ParamSet& layout,
                                                    std::span<const T> theta,
                                                    SumRows sums = SumRows::normalised);

// Facts about a circuit without faults.
struct CircuitFacts {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;                // of sums
  std::int64_t parameters = 0;           // tied ones count once
  std::int64_t depth = 0;                // edges of the longest way from the root to a leaf
  bool structured_decomposable = false;  // variables are always split in the same way
  bool omni_compatible = false;          // products are of single variables: any split goes
  // At most one input of every sum is not 0, whatever the weights are: indicators exclude others.
  bool deterministic = false;
};
[[nodiscard]] CircuitFacts facts_of(const Circuit& circuit);
// One of them, for what needs no other: coding, and products of circuits.
[[nodiscard]] bool is_structured_decomposable(const Circuit& circuit);

}  // namespace logpx::pc
