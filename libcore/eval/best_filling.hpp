// The most probable values of what is missing, hidden states summed out: argmax p(m | o). That is
// hard in general: beyond some number of candidates, and for real numbers, it is a search and says
// so.   [eval/README 9]
#pragma once

#include "libcore/model/queries.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

struct FillingSearch {
  std::int64_t enumerate = std::int64_t{1} << 20;  // most candidates for a full search
  std::int64_t beam = 64;                          // beginnings kept in a partial one
};

struct BestFilling {
  std::vector<std::int32_t> x = {};  // [width], the whole row; empty: the evidence is impossible
  std::vector<float> reals = {};     // as those of Evidence
  double nats = 0;                   // log p(x)
  bool exact = true;
};

// For row i. Among equally good fillings, the one whose first differing value is smaller. A search
// goes from one missing value to the next and keeps the best beginnings, adds the most probable
// explanation, then changes single values of the best for as long as that helps. Real numbers start
// from the most probable explanation.
[[nodiscard]] BestFilling best_filling(const ModelQueries& queries, const Evidence& rows,
                                       std::int64_t i, const FillingSearch& search);

}  // namespace logpx
