#include "formats/import/missing_words.hpp"

#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace logpx {
namespace {

// As most cells do, which need no closer look.
bool begins_with_digit(const std::string& field) {
  const std::size_t at = field.starts_with('-') || field.starts_with('+') ? 1 : 0;
  return at < field.size() && field[at] >= '0' && field[at] <= '9';
}

}  // namespace

bool is_no_number(const std::string& field) {
  if (begins_with_digit(field)) return false;
  std::string lower = lower_case(field);
  if (lower.starts_with('-') || lower.starts_with('+')) lower.erase(0, 1);
  return lower.empty() || lower == "nan" || lower == "inf" || lower == "infinity";
}

bool means_missing(const std::string& field) {
  if (begins_with_digit(field)) return false;
  constexpr std::array<std::string_view, 21> known = {
      "?",  "??",  "n/a",  "na",  "#n/a",    "n.a.",  "none",   "null",  "missing", ".",      "-",
      "--", "nat", "<na>", "#na", "#value!", "#ref!", "#name?", "#num!", "#null!",  "#div/0!"};
  return std::ranges::find(known, lower_case(field)) != known.end();
}

}  // namespace logpx
