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
  std::int64_t samples = 20'000;  // rows that are looked at, spread over the data
  std::int64_t bins = 64;         // of neighbouring values, at most
  std::optional<std::int64_t> root = {};
};

// The parent of each variable, -1 of the root. Counts and logarithms are the same everywhere, so
// that data and options decide the tree.
[[nodiscard]] std::vector<std::int32_t> learn_tree(const RowRules& rules,
                                                   const std::vector<Variable>& variables,
                                                   const Examples& examples,
                                                   const TreeSearch& search, Workers& workers);

}  // namespace logpx::pc
