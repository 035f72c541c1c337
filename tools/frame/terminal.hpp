// Properties of the terminal on stdout, if it is one.
#pragma once

#include <cstddef>

namespace logpx {

[[nodiscard]] bool stdout_is_terminal();
// The width from COLUMNS or from the terminal; 80 if neither is known.
[[nodiscard]] std::size_t terminal_columns();

}  // namespace logpx
