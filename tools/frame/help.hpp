// Everything that is generated from the description of a tool's options.
#pragma once

#include "libcore/base/fields.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace logpx {

// What a tool says about itself, once: help, manual, completions and error lines are made from it.
struct Example {
  std::string command, says;
};

// An answer tool prints its report on stdout always; a maker only with --json.
enum class ToolKind { maker, answer };

// The libraries that decide the last bits of what a tool computes.
struct ComputeFacts {
  std::string blas, blas_kernel, vector_math;
  std::string mpi;            // empty when left out
  std::string faster_kernel;  // for BLAS, if it does not know the processor; else empty
};

struct ToolSpec {
  std::string name;                // "pack-data"
  std::string purpose;             // "turn foreign files into a dataset": no capital, no full stop
  std::vector<std::string> usage;  // what follows the name, one line per form
  std::vector<Example> examples;   // whole commands; the tests run those of the manual
  ToolKind kind = ToolKind::maker;
  // Common options that are accepted and do nothing here; help says so.
  std::vector<std::string> without_effect = {};
  // The tool opens its operands itself, so that a bad one does not stop the others.
  bool opens_inputs_itself = false;
  // A call without arguments is valid if stdin is not a terminal.
  bool filters_stdin = false;
  // Set by tools that compute (compute_facts.hpp); the others link neither BLAS nor MPI, whose
  // loading alone takes longer than --version may.
  ComputeFacts (*compute_facts)() = nullptr;
};

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
