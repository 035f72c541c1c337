// What people read of a measure of molecules: its name in a table, and what it says.
#pragma once

#include <optional>
#include <string>

namespace logpx {

struct MeasureWords {
  std::string name, says;
};
// The key itself where there are no words for it; nothing where people need not see it.
[[nodiscard]] std::optional<MeasureWords> words_of_measure(const std::string& key);
[[nodiscard]] std::string unit_of_property(const std::string& property);  // "g/mol"
[[nodiscard]] std::string says_of_property(const std::string& property);
// A text of any length and kind, for a report.
[[nodiscard]] std::string shown_molecule(const std::string& text);

}  // namespace logpx
