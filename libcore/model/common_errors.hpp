// Facts about the errors of scores that rows have in common: the error of their mean must know of
// them, because only what is independent averages out.
#pragma once

namespace logpx {

// Nats by which every row may be off in the same direction. They are part of its mc_std_error.
inline constexpr const char *discretisation_fact = "discretisation",
                            *between_chains_fact = "between_chains";
inline constexpr const char* common_errors[] = {discretisation_fact, between_chains_fact};

// Where rows share their draws: the covariance of a row's noise and the sum of theirs.
inline constexpr const char* shared_noise_fact = "shared_noise";

}  // namespace logpx
