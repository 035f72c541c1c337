// What computes in a tool that does: `.compute_facts = compute_facts` in its ToolSpec.
#pragma once

#include "tools/frame/spec.hpp"

namespace logpx {

[[nodiscard]] ComputeFacts compute_facts();

}  // namespace logpx
