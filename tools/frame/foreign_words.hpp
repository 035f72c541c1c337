// Options that users know from other programs, and what they are called here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

struct ForeignWord {
  std::string word;    // "--learning-rate"
  std::string option;  // "--lr"; empty when there is nothing of the kind
  std::string says;    // what to do, for words that need more than an option's name
};

// All that are known to one tool.
[[nodiscard]] std::vector<ForeignWord> foreign_words(std::string_view tool);
[[nodiscard]] std::optional<ForeignWord> find_foreign(std::string_view tool, std::string_view word);

}  // namespace logpx
