// Features as every judge of samples reads them: a vector per example, in double.
#pragma once

#include "libcore/base/index.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct FeatureView {
  std::span<const double> values;  // [n,d]
  std::int64_t n = 0, d = 0;

  [[nodiscard]] const double* row(std::int64_t i) const { return values.data() + i * d; }
};

// Numbers of rows, in any order; a row may occur more than once, as in a resample.
using RowList = std::vector<std::uint32_t>;

}  // namespace logpx
