// A report's answer for people at a terminal: one row per quantity, setting or list, as wide as the
// terminal. It is made from the JSON alone, for every tool whose answer is its report.
#pragma once

#include "formats/json/value.hpp"

#include <cstddef>
#include <string>

namespace logpx {

// Shows inputs and the report's `result`. Warnings are printed elsewhere, the rest is for programs.
[[nodiscard]] std::string report_table(const Json& report, std::size_t columns);

}  // namespace logpx
