// One standard deviation for all dimensions of x, as LikelihoodOptions say it.
#pragma once

#include "libcore/model/likelihood.hpp"

#include <vector>

namespace logpx {

// Heads "mean", and "log_var" that all share, which is learned or given. A usage error for a
// deviation that is no positive number.
[[nodiscard]] std::vector<HeadForm> heads_with_one_deviation(const LikelihoodOptions& options);

}  // namespace logpx
