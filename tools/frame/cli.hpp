// Splits argv into words. CLI11 stays inside cli.cpp; Fields decides what a word means.
#pragma once

#include "libcore/base/fields.hpp"
#include "tools/frame/help.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

struct Arguments {
  std::optional<HelpExtent> help;
  bool version = false;
  // In the order of the fields; a repeated option has all its values in the order given.
  std::vector<std::pair<Field*, std::vector<std::string>>> given;
};

// `words` is argv without the program's name. Throws a usage error that names the word.
[[nodiscard]] Arguments parse_arguments(const std::string& tool, Fields& fields,
                                        const std::vector<std::string>& words);

}  // namespace logpx
