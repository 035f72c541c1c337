// How well a network denoises at each gamma, measured once: what fitted grids follow.
// [vdm/README 9]
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/model/model.hpp"

#include <vector>

namespace logpx {
class Workers;
}

namespace logpx::vdm {

// The mean of SNR ||x - x_hat||^2 over these rows at curve_points equally spaced gammas; x_hat of
// levels is clipped to their range.
[[nodiscard]] std::vector<double> measure_mse_curve(const DiffusionModel& model,
                                                    const Examples& examples, Workers& workers);

}  // namespace logpx::vdm
