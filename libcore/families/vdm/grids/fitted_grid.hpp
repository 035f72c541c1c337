// Which gammas T steps stop at. The discrete bound is an upper sum of the integral of the error
// over SNR, so where that error is known, steps can be put where they cost least.
// [vdm/README 9]
//
//   const std::vector<double> gamma = fitted_grid(ends, mse_curve, 20);   // 21 of them, rising
#pragma once

#include "libcore/families/vdm/schedule/noise_schedule.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::vdm {

inline constexpr std::int64_t grid_nodes = 257, curve_points = 65;
inline constexpr std::int64_t most_fitted_steps = 128;

// Chooses steps + 1 of the nodes, which are `spacing` apart in gamma, both ends among them, so that
// the sum of 0.5 expm1(gamma_i - gamma_i-1) mse(gamma_i) is least; of equals, the lower.
[[nodiscard]] std::vector<std::int64_t> best_nodes(std::span<const double> mse, double spacing,
                                                   std::int64_t steps);
[[nodiscard]] double cost_of(std::span<const std::int64_t> nodes, std::span<const double> mse,
                             double spacing);

// A measured curve of 65 values between the ends, interpolated linearly at the 257 nodes.
[[nodiscard]] std::vector<double> curve_at_nodes(std::span<const double> mse_curve);

[[nodiscard]] std::vector<double> fitted_grid(const Endpoints& ends,
                                              std::span<const double> mse_curve,
                                              std::int64_t steps);

}  // namespace logpx::vdm
