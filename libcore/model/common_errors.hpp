// Facts about errors that all rows share: the error of their mean must know of them, because only
// independent errors average out.   [eval/README 1.3]
#pragma once

namespace logpx {

// Nats by which every row may be off in the same direction. They are part of its mc_std_error.
inline constexpr const char *discretisation_fact = "discretisation",
                            *between_chains_fact = "between_chains";
inline constexpr const char* common_errors[] = {discretisation_fact, between_chains_fact};

// If rows share their draws: the covariance of a row's noise with the sum over all rows.
inline constexpr const char* shared_noise_fact = "shared_noise";

}  // namespace logpx
