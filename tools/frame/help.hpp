// Everything that is generated from the description of a tool's options.
#pragma once

#include "libcore/base/fields.hpp"
#include "tools/frame/spec.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace logpx {

// Options that every tool takes and that are not fields.
struct FrameOption {
  const char* option;
  char short_name;  // 0: none
  const char* says;
};
inline constexpr FrameOption frame_options[] = {
    {"--help", 'h', "print what the tool is for and the options used most, and stop"},
    {"--help-all", 0, "print all options, and stop"},
    {"--version", 0, "print version, commit, compiler and libraries, and stop"},
};

// --help: the usual options, about 40 lines at 80 columns; purpose first, examples last. With
// `everything` (--help-all): every option, and the settings that only --set reaches.
enum class HelpExtent { usual, everything };
[[nodiscard]] std::string help_text(const ToolSpec& spec, const Fields& fields, HelpExtent extent,
                                    std::size_t columns);
// The hint after an option that does not exist.
[[nodiscard]] std::string where_options_stand(const std::string& tool);
// Three lines for a call without arguments.
[[nodiscard]] std::string short_usage(const ToolSpec& spec);

// The man page's OPTIONS in man(7) macros; a field without help or range is a bug and fails.
[[nodiscard]] std::string manual_options(const ToolSpec& spec, const Fields& fields);
// The completions ask the tool: `TOOL --candidates WORD...` prints words that could replace the
// last one, each with a tab and a description.
[[nodiscard]] std::string bash_completion(const ToolSpec& spec);
[[nodiscard]] std::string zsh_completion(const ToolSpec& spec);
[[nodiscard]] std::string fish_completion(const ToolSpec& spec);
[[nodiscard]] std::string candidates(const Fields& fields, const std::vector<std::string>& words);
[[nodiscard]] std::string describe_json(const ToolSpec& spec, const Fields& fields);

}  // namespace logpx
