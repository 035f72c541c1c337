// One standard deviation for all dimensions of x, from LikelihoodOptions.
#pragma once

#include "libcore/model/likelihood.hpp"

#include <vector>

namespace logpx {

// Heads "mean", and a shared "log_var" that is learned or given. A usage error if the deviation is
// not a positive number.
[[nodiscard]] std::vector<HeadForm> heads_with_one_deviation(const LikelihoodOptions& options);

}  // namespace logpx
