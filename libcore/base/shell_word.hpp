// A path or another text as one word of a command that people copy into a shell.
#pragma once

#include <string>

namespace logpx {

// Single quotes around, none inside.
[[nodiscard]] std::string shell_quoted(const std::string& text);
// Quoted only when it needs it.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace logpx
