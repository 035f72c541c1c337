// One standard deviation for all dimensions of x, as LikelihoodOptions say it.
#pragma once

#include <optional>
#include <string>

namespace logpx {

// The logarithm of its square; empty: learned. A usage error for what is no positive number.
[[nodiscard]] std::optional<double> log_variance(const std::string& obs_std);

}  // namespace logpx
