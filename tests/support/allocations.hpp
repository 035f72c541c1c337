// How often this process has called operator new: code that must not allocate is run between two
// looks at it.
#pragma once

#include <cstdint>

namespace logpx {

[[nodiscard]] std::int64_t allocations();

}  // namespace logpx
