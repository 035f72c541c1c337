// Features for the tests of judges: normal rows from addressed numbers, the same in every run.
#pragma once

#include "libcore/det/draws.hpp"
#include "libcore/judge/moments.hpp"
#include "tests/support/golden.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace logpx::testing {

struct JudgedRows {
  std::int64_t n = 0, d = 0;
  std::vector<double> values;

  [[nodiscard]] FeatureView view() const { return {values, n, d}; }
};

// scale * N(0, I); `number` tells sets apart.
inline JudgedRows normal_rows(std::uint32_t number, std::int64_t n, std::int64_t d,
                              double scale = 1) {
  JudgedRows rows{n, d, std::vector<double>(static_cast<std::size_t>(n * d))};
  const Substream substream = Rng(11).stream(Stream::test, number);
  for (std::size_t e = 0; e < rows.values.size(); ++e)
    rows.values[e] = scale * normal_at(substream, e);
  return rows;
}

// A list of rows, as golden files have them.
inline JudgedRows rows_of(const Json& json) {
  JudgedRows rows{
      static_cast<std::int64_t>(json.size()), static_cast<std::int64_t>(json.at(0).size()), {}};
  for (const Json& row : json.items())
    for (const Json& value : row.items()) rows.values.push_back(golden::real(value));
  return rows;
}

inline RowList list_of(std::int64_t n) {
  RowList rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

}  // namespace logpx::testing
