// Names that come from elsewhere (members of archives, columns) as a terminal may see them.
#pragma once

#include <string>
#include <string_view>

namespace logpx {

// Control characters (C0, DEL, C1), bytes that are not UTF-8, line separators and the marks that
// turn the direction of writing become \x1b or \u202e; all else stays.
[[nodiscard]] std::string shown_name(std::string_view name);

// Whether it holds such characters, other than bytes that are not UTF-8: no file of ours gets this
// name.
[[nodiscard]] bool holds_unseen(std::string_view name);

}  // namespace logpx
