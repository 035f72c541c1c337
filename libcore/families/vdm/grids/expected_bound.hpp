// How long x is in T steps, by the errors that training measured at its end: a forecast, without
// looking at any data.   [vdm/README 9]
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"

#include <span>

namespace logpx::vdm {

// Bits that steps between these gammas take, over those of the bound that the model was trained
// for, less 1; of levels, whose p(x|z_0) takes what it does on average. 0 without measured errors.
[[nodiscard]] double expected_excess(const DiffusionModel& model, std::span<const double> gammas);

}  // namespace logpx::vdm
