// Libraries that compute, for tools that do: `.compute_facts = compute_facts` in a ToolSpec.
#pragma once

#include "tools/frame/help.hpp"

namespace logpx {

[[nodiscard]] ComputeFacts compute_facts();

}  // namespace logpx
