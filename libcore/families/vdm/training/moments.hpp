// Mean and covariance of x, which linear-gauss takes from the data or from its user.
// [vdm/README 8.3]
#pragma once

#include "libcore/model/data_reading.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::vdm {

struct Moments {
  std::vector<double> mean = {}, covariance = {};  // [D], [D,D]
  [[nodiscard]] bool empty() const { return mean.empty(); }
  // A data error that names `subject` unless they are those of D numbers.
  void check(const std::string& subject) const;
};

// Moments of x as networks see it, from rows of so many levels (0: real numbers).
[[nodiscard]] Moments moments_of(const RowReader& reader, std::int64_t levels,
                                 const Examples& examples);
// The same from moments of x as it is stored. A data error for another number of dimensions.
[[nodiscard]] Moments network_moments(const Moments& stored, std::int64_t levels,
                                      const DatasetInfo& data);

}  // namespace logpx::vdm
