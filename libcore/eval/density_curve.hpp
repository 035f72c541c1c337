// How dense a real number lies given all other values of its row: a few points of a curve.
// [eval/README 9]
#pragma once

#include "libcore/model/queries.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

struct DensityCurve {
  // From three deviations below the mean to three above, in steps of half a deviation, as float32
  // holds them.
  std::vector<double> values = {};
  std::vector<double> density = {};  // in the units of the data
};

// For this place of row i, whether it holds a value or not; empty if the others are impossible.
[[nodiscard]] DensityCurve density_curve(const ModelQueries& queries, const Evidence& rows,
                                         std::int64_t i, std::int64_t place);

}  // namespace logpx
