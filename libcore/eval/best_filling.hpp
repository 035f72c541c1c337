// The most probable values of what is missing, hidden states summed out: argmax p(m | o). That is
// hard in general, so beyond some number of candidates, and for real numbers, it is a search, and
// says so.   [eval/README 9]
#pragma once

#include "libcore/model/queries.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

struct FillingSearch {
  std::int64_t enumerate = std::int64_t{1} << 20;  // candidates, at most, that are all looked at
  std::int64_t beam = 64;                          // beginnings that are kept where there are more
};

struct BestFilling {
  std::vector<std::int32_t> x = {};  // [width], the whole row; empty: what is there cannot be
  std::vector<float> reals = {};     // as those of Evidence
  double nats = 0;                   // log p(x)
  bool exact = true;
};

// Of row i. Equally good ones: that whose first value that differs is smaller. A search goes from
// one missing value to the next with the best beginnings of both it and the most probable
// explanation, then changes single values for as long as that helps. Real numbers begin with those
// of the most probable explanation of each.
[[nodiscard]] BestFilling best_filling(const ModelQueries& queries, const Evidence& rows,
                                       std::int64_t i, const FillingSearch& search);

}  // namespace logpx
