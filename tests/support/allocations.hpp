// Counts what operator new hands out, for tests that promise not to allocate.
#pragma once

#include <cstdint>

namespace logpx::test {

[[nodiscard]] std::int64_t allocations();  // of all threads, since the program began

}  // namespace logpx::test
