// Whether Markov chains have mixed: R-hat over halves of chains, so that a chain that drifts counts
// like two that disagree.   [Gelman and Rubin 1992; Gelman et al.,
// Bayesian Data Analysis, 3rd ed., sec. 11.4]
#pragma once

#include <span>

namespace logpx {

// Moments of one quantity over half of a chain.
struct ChainHalf {
  double count = 0, mean = 0, variance = 0;
};
// sqrt(((n - 1) W / n + B / n) / W) with W the mean variance within the halves, B / n the variance
// of their means; at most 1000; 0 if halves have fewer than two draws.
[[nodiscard]] double split_r_hat(std::span<const ChainHalf> halves);

inline constexpr double largest_mixed_r_hat = 1.2;
[[nodiscard]] inline bool have_mixed(double r_hat) {
  return r_hat > 0 && r_hat <= largest_mixed_r_hat;
}

}  // namespace logpx
