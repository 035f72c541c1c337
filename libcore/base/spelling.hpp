// Suggestions for misspelt words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// The known word nearest to a misspelt one, if it is near enough to be what was meant.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& known);
// " (did you mean --lr?)" or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& known);

}  // namespace logpx
