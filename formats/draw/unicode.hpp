// Letters of texts that are known to be UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace logpx::draw {

[[nodiscard]] std::u32string letters_of(std::string_view text);
[[nodiscard]] std::string utf8_of(char32_t letter);

}  // namespace logpx::draw
