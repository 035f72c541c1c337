// What styles a set of rows has: a mixture of multinomials over the values of a row, wherever they
// occur. Values are taken given the coarse bin that they lie in, so that styles tell how a picture
// repeats its greys, and not how much of it is black.   [spec/pc.md section 4.2b]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/pc/symbol_rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// The first value of the crowded range at the top, each of which is over five times as frequent as
// the median of those above 0; the number of values where there is none.
[[nodiscard]] std::int64_t crowded_from(std::span<const double> frequencies);

struct StyleTable {
  std::vector<double> prior = {};   // [styles]
  std::vector<double> values = {};  // [styles, values]
};
struct StyleRows {
  const SymbolRows& reader;
  const Examples& examples;
  std::span<const double> frequencies;  // of values, whatever their variable
};
// Rows and seed alone decide it.
[[nodiscard]] StyleTable learn_styles(const StyleRows& rows, std::int64_t styles,
                                      const Substream& draws, Workers& workers);

}  // namespace logpx::pc
