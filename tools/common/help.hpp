// Everything that is made from the one description of a tool's options.
#pragma once

#include "libcore/base/fields.hpp"
#include "tools/common/spec.hpp"

#include <string>

namespace logpx {

// --help: at most 100 columns and 40 lines; purpose first, examples last.
[[nodiscard]] std::string help_text(const ToolSpec& spec, const Fields& fields);
// Three lines for a call without arguments.
[[nodiscard]] std::string short_usage(const ToolSpec& spec);

// The man page's OPTIONS in man(7) macros; a field without help or range is a bug and fails.
[[nodiscard]] std::string manual_options(const ToolSpec& spec, const Fields& fields);
// One word for a shell, quoted when it needs it.
[[nodiscard]] std::string shell_word(const std::string& text);
[[nodiscard]] std::string bash_completion(const ToolSpec& spec, const Fields& fields);
[[nodiscard]] std::string zsh_completion(const ToolSpec& spec, const Fields& fields);
[[nodiscard]] std::string fish_completion(const ToolSpec& spec, const Fields& fields);
[[nodiscard]] std::string describe_json(const ToolSpec& spec, const Fields& fields);

}  // namespace logpx
