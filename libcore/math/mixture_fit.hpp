// Expectation maximisation of a mixture of gaussians: what points say of it, summed, and the
// mixture that fits them best.   [math/README 12]
//
//   w_k = n_k / n,  m_k = sum_i r_ik z_i / n_k
//   L_k L_k^T = sum_i r_ik z_i z_i^T / n_k - m_k m_k^T + s I
#pragma once

#include "libcore/math/gaussian_mixture.hpp"

#include <cstdint>
#include <span>

namespace logpx {

// n_k, sum r z [J], and sum r z z^T [J, J] or its diagonal, of each component.
[[nodiscard]] inline std::int64_t mixture_statistics(const MixtureForm& form) {
  return form.components * (1 + form.dims + form.scales());
}
// Adds those of z [n, J]; the sum of their log p(z).
[[nodiscard]] double add_statistics(const GaussianMixture& mixture, std::span<const double> z,
                                    std::span<double> sums);
// Where expectation maximisation begins: the points z [K, J] as means, all with the deviations [J].
void start_mixture(const MixtureForm& form, std::span<const float> z,
                   std::span<const double> deviations, const MixtureNumbers<float>& numbers);
// A component that `least` rows or fewer belong to gets weight 0, and stays there.
struct MixtureStep {
  double ridge = 1e-4;  // s
  double least = 1;
};
void maximise_mixture(const MixtureForm& form, const MixtureStep& step,
                      std::span<const double> sums, const MixtureNumbers<float>& numbers);

}  // namespace logpx
