// Where the buffers of a plan lie: best fit over lifetimes, largest first.
#pragma once

#include "libcore/grad/plan.hpp"

#include <vector>

namespace logpx {

// Sets the offsets, in elements, each a multiple of 16 (64 bytes in float).
void place_buffers(std::vector<Plan::Buffer>& buffers, Reuse reuse);

}  // namespace logpx
