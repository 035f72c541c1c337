#include "libcore/base/spelling.hpp"

#include <algorithm>

namespace logpx {

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
  // Damerau-Levenshtein (adjacent swaps count once), and a prefix is always near.
  const auto distance = [](std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
        d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    return d[a.size()][b.size()];
  };
  const auto stem_of = [](std::string_view text) {
    return text.substr(std::min(text.find_first_not_of('-'), text.size()));
  };
  const std::string_view stem = stem_of(word);
  std::optional<std::string> best;
  std::size_t limit = stem.size() <= 2 ? 1 : std::max<std::size_t>(stem.size() / 3, 2);
  for (const std::string& candidate : known) {
    const std::string_view other = stem_of(candidate);
    std::size_t d = distance(stem, other);
    const bool prefix = std::min(stem.size(), other.size()) >= 2 &&
                        (other.starts_with(stem) || stem.starts_with(other));
    if (prefix) d = std::min(d, limit);
    if (d > limit || d >= std::max(stem.size(), other.size())) continue;
    best = candidate;
    if (d == 0) break;
    limit = d - 1;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const auto near = nearest(word, known);
  return near ? " (did you mean " + *near + "?)" : "";
}

}  // namespace logpx
