// A report's answer for people at a terminal: one row per quantity, setting or list, as wide as the
// terminal. It is made from the JSON alone, for every tool whose answer is its report.
#pragma once

#include "formats/json/value.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace logpx {

// Text in columns: help and tables.
constexpr std::size_t least_columns = 40;  // a narrower terminal is treated as this wide

// The number of letters in a UTF-8 text, all counted as equally wide.
[[nodiscard]] std::size_t width_of(const std::string& text);
[[nodiscard]] std::string padded(const std::string& text, std::size_t width);
// Lines of at most `width` letters, broken between words; a word that is longer is cut.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t width);

// Shows inputs and the report's `result`. Warnings are printed elsewhere, the rest is for programs.
[[nodiscard]] std::string report_table(const Json& report, std::size_t columns);

}  // namespace logpx
