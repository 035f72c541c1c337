// Text in columns: help and tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace logpx {

constexpr std::size_t least_columns = 40;  // a narrower terminal is treated as this wide

// The number of letters in a UTF-8 text, all counted as equally wide.
[[nodiscard]] std::size_t width_of(const std::string& text);
[[nodiscard]] std::string padded(const std::string& text, std::size_t width);
// Lines of at most `width` letters, broken between words; a word that is longer is cut.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace logpx
