// A forecast of the bits that T steps take, from the errors measured at the end of training,
// without looking at any data.   [vdm/README 9]
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"

#include <span>
#include <vector>

namespace logpx::vdm {

// Bits that steps between these gammas take, relative to the bound that the model was trained for,
// less 1. x has levels, and p(x|z_0) counts with its mean. 0 without measured errors.
[[nodiscard]] double expected_excess(const DiffusionModel& model, std::span<const double> gammas);

// The mean of (x - x_hat)^2 of one component at each gamma: as it was measured, else that of
// independent normal components of variance 1.
[[nodiscard]] std::vector<double> expected_errors(const DiffusionModel& model,
                                                  std::span<const double> gammas);

}  // namespace logpx::vdm
