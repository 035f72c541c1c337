// The gradient of learned endpoints from losses at both ends: the continuous loss depends on gamma
// at its ends alone,
//
//   d L / d gamma_1 = E m(gamma_1) / 2,   d L / d gamma_0 = -E m(gamma_0) / 2
//
// A few rows of each step suffice, with far less variance than gradients through Fourier features.
// [VDM eq. 18; vdm/README 7.2]
#pragma once

#include "libcore/families/vdm/training/noised_row.hpp"
#include "libcore/model/data_reading.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx::vdm {

// Mean and covariance of x, which linear-gauss takes from the data or from its user.
// [vdm/README 8.3]
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

// Its gradient is added to that of the phase that follows.
[[nodiscard]] std::unique_ptr<Phase> ends_phase(const VdmModel& model, const StepRows& rows);

}  // namespace logpx::vdm
