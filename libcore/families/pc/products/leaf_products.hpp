// Products of leaves: every node of one with every node of the other, value by value. Such a
// product is a distribution times a constant, its mass.   [pc/README 4.6]
//
//   gaussian x gaussian:  a gaussian, precisions add up
//   bernoulli x bernoulli: a bernoulli;   all other kinds: a table
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// Masses of the nodes of a block: values[j] e^ln_scale. The largest value is 1, unless all are 0.
struct Masses {
  std::vector<double> values = {};
  double ln_scale = 0;

  [[nodiscard]] static Masses ones(std::int64_t nodes) {
    return {.values = std::vector<double>(static_cast<std::size_t>(nodes), 1.0)};
  }
  void rescale();
  void multiply_by(const Masses& other);  // node by node
};

struct LeafNodes {
  LeafKind kind = LeafKind::table;
  std::int64_t nodes = 0;
  std::vector<double> parameters = {};  // of one node behind the other
};
struct LeafProduct {
  LeafNodes leaf;  // the first factor's nodes are slowest
  Masses masses;
};
// For a variable with this many categories; 0: real numbers.
[[nodiscard]] LeafProduct multiply_leaves(std::span<const LeafNodes> factors,
                                          std::int64_t categories);

}  // namespace logpx::pc
