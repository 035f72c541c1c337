// What tables write for a value that is missing.
#pragma once

#include <string>

namespace logpx {

// Whether a field is empty, nan or inf.
[[nodiscard]] bool is_no_number(const std::string& field);
// Whether a field is "?", "n/a" or another word that tables write for a missing value.
[[nodiscard]] bool means_missing(const std::string& field);

}  // namespace logpx
