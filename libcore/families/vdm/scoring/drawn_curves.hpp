// What reports draw of a model: its noise schedule by time, and how well its network denoises.
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/model/model.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <vector>

namespace logpx {
class Workers;
}

namespace logpx::vdm {

// How well a network denoises at each gamma, measured once: what fitted grids follow.
// [vdm/README 9]

// The mean of SNR ||x - x_hat||^2 over these rows at curve_points equally spaced gammas; x_hat of
// levels is clipped to their range.
[[nodiscard]] std::vector<double> measure_mse_curve(const DiffusionModel& model,
                                                    const Examples& examples, Workers& workers);

inline constexpr std::int64_t drawn_points = 101;

// gamma(t) and gamma'(t).
[[nodiscard]] std::vector<DrawnCurve> drawn_schedule(const NoiseSchedule& schedule);
// E m by gamma, still without points.
[[nodiscard]] DrawnCurve drawn_errors();
// Both for a trained model; E m only if its errors were measured.
[[nodiscard]] std::vector<DrawnCurve> drawn_curves(const DiffusionModel& model);

}  // namespace logpx::vdm
