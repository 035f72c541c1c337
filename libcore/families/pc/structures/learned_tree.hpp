// The tree of an HCLT's hidden states, by mutual information [Chow and Liu; pc/README 4.2].
#pragma once

#include "libcore/base/choice.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/families/pc/symbol_rows.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::pc {

struct TreeSearch {
  std::int64_t samples = 20'000;          // rows that are looked at, spread over the data
  std::optional<std::int64_t> bins = {};  // at most; default 64, for greys 8
  // Variables that leave their commonest value in a smaller share of the rows have no hidden state
  // of their own. Default 0 (all have one), for greys 0.001.
  std::optional<double> least_varied = {};
  std::optional<std::int64_t> root = {};

  void describe(Fields& fields, const Condition& used);
};

// By variable: its parent (-1 for the root), and the variable on whose hidden state it hangs (-1:
// its own).
struct LearnedTree {
  std::vector<std::int32_t> parents, hosts;
};
// Whether 0 is a background value with a bin of its own.
enum class Ground { none, zero };
// Counts and logarithms are the same on all machines, so data and options alone decide the tree.
struct TreeRows {
  const RowRules& rules;
  const std::vector<Variable>& variables;
  const Examples& examples;
  Ground ground = Ground::none;
};
[[nodiscard]] LearnedTree learn_tree(const TreeRows& rows, const TreeSearch& search,
                                     Workers& workers);

}  // namespace logpx::pc
