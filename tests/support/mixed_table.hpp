// A table with columns of every kind, and holes.
#pragma once

#include "libcore/model/task_data.hpp"

#include <cstdint>

namespace logpx::testing {

// Columns: a word, one of two numbers, any whole number, a real one, a constant.
[[nodiscard]] HeldRows mixed_table(std::int64_t rows);

}  // namespace logpx::testing
