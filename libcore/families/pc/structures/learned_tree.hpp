// The tree of hidden states of an HCLT: which variables tell most of each other, by Chow and Liu.
// [spec/pc.md section 4.2]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/families/pc/symbol_rows.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx::pc {

struct TreeSearch {
  std::int64_t samples = 20'000;          // rows that are looked at, spread over the data
  std::optional<std::int64_t> bins = {};  // of neighbouring values, at most; 64, of greys 8
  // Variables that leave their commonest value in a smaller share of the rows have no hidden state
  // of their own; 0: all have, of greys 0.001.
  std::optional<double> least_varied = {};
  std::optional<std::int64_t> root = {};
};

// By variable: its parent, -1 of the root; and on whose hidden state it hangs, -1: on its own.
struct LearnedTree {
  std::vector<std::int32_t> parents, hosts;
};
// Whether 0 is a ground, which has a bin of its own.
enum class Ground { none, zero };
// Counts and logarithms are the same everywhere, so that data and options decide the tree.
struct TreeRows {
  const RowRules& rules;
  const std::vector<Variable>& variables;
  const Examples& examples;
  Ground ground = Ground::none;
};
[[nodiscard]] LearnedTree learn_tree(const TreeRows& rows, const TreeSearch& search,
                                     Workers& workers);

}  // namespace logpx::pc
