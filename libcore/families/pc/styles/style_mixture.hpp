// Learns the styles of rows: a mixture of multinomials over the values of a row, wherever they
// occur, given the coarse bin that each lies in. So styles tell which greys a picture repeats, and
// not how much of it is black.   [pc/README 4.3]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/pc/symbol_rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// Where the crowded range at the top begins, whose values are over five times as frequent as the
// median of those above 0; the number of values if there is none.
[[nodiscard]] std::int64_t crowded_from(std::span<const double> frequencies);

struct StyleTable {
  std::vector<double> prior = {};   // [styles]
  std::vector<double> values = {};  // [styles, values]
};
struct StyleRows {
  const SymbolRows& reader;
  const Examples& examples;
  std::span<const double> frequencies;  // of values, in all variables together
};
// Rows and seed alone decide the result.
[[nodiscard]] StyleTable learn_styles(const StyleRows& rows, std::int64_t styles,
                                      const Substream& draws, Workers& workers);

}  // namespace logpx::pc
