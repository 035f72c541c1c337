// What is known of the terminal that stdout is, if it is one.
#pragma once

#include <cstddef>

namespace logpx {

[[nodiscard]] bool stdout_is_terminal();
// As wide as COLUMNS or the terminal say; 80 where neither is known.
[[nodiscard]] std::size_t terminal_columns();

}  // namespace logpx
