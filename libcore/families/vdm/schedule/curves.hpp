// The curves that --schedule names.   [vdm/README 4.1]
#pragma once

#include "libcore/families/vdm/schedule/noise_curve.hpp"

namespace logpx::vdm {

[[nodiscard]] std::unique_ptr<const NoiseCurve> linear_curve();  // t
// log expm1(1e-4 + 10 t^2): DDPM's betas from 1e-4 to 0.02 in 1000 steps, in closed form
[[nodiscard]] std::unique_ptr<const NoiseCurve> beta_linear_curve();
// 2 log tan(u), u = (pi/2) (0.999 t + 0.008) / 1.008   [Nichol, Dhariwal 2021]
[[nodiscard]] std::unique_ptr<const NoiseCurve> alpha_cosine_curve();
[[nodiscard]] std::unique_ptr<const NoiseCurve> table_curve(const CurveTable& table);

// |w1| t + (1/H) sum_j |w3_j| (2 s_j - 1),  s_j = sigmoid(|w2_j| (2t - 1) + b2_j)
// Deviation: the b2 start at N(0, 1), since with zeros all units are alike.
[[nodiscard]] std::unique_ptr<const NoiseCurve> monotone_curve(std::int64_t hidden,
                                                               std::span<const double> parameters);
// o + sum_j |w3_j| sigmoid(|w2_j| o + b2_j),  o = |w1| t + b1   [VDM appendix H]
[[nodiscard]] std::unique_ptr<const NoiseCurve> monotone_paper_curve(
    std::int64_t hidden, std::span<const double> parameters);

}  // namespace logpx::vdm
