// The gradient of learned endpoints from losses at both ends: the continuous loss depends on gamma
// at its ends alone,
//
//   d L / d gamma_1 = E m(gamma_1) / 2,   d L / d gamma_0 = -E m(gamma_0) / 2
//
// A few rows of each step suffice, with far less variance than gradients through Fourier features.
// [VDM eq. 18; vdm/README 7.2]
#pragma once

#include "libcore/families/vdm/training/step_rows.hpp"

#include <memory>

namespace logpx::vdm {

// Its gradient is added to that of the phase that follows.
[[nodiscard]] std::unique_ptr<Phase> ends_phase(const VdmModel& model, const StepRows& rows);

}  // namespace logpx::vdm
