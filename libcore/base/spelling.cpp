#include "libcore/base/spelling.hpp"

#include <algorithm>
#include <tuple>

namespace logpx {
namespace {

// Damerau-Levenshtein: adjacent swaps count once.
std::size_t distance(std::string_view a, std::string_view b) {
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
}

std::string_view stem_of(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of('-'), text.size()));
}

// "sed" lacks a letter of "seed", but not of "set".
bool lacks_letters_only(std::string_view word, std::string_view whole) {
  std::size_t at = 0;
  for (const char letter : whole)
    if (at < word.size() && word[at] == letter) ++at;
  return at == word.size();
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::string_view stem = stem_of(word);
  const std::size_t limit = stem.size() <= 3 ? 1 : std::max<std::size_t>(stem.size() / 3, 2);
  using Nearness = std::tuple<std::size_t, bool, std::size_t>;
  std::optional<std::string> best;
  Nearness best_rank;
  for (const std::string& candidate : known) {
    const std::string_view other = stem_of(candidate);
    const std::size_t far = distance(stem, other);
    const bool prefix = std::min(stem.size(), other.size()) >= 2 &&
                        (other.starts_with(stem) || stem.starts_with(other));
    if ((far > limit && !prefix) || (far >= std::max(stem.size(), other.size()))) continue;
    // A prefix is always near, and a letter is left out more often than mistaken for another.
    const Nearness rank{prefix ? std::min<std::size_t>(far, 1) : far,
                        !lacks_letters_only(stem, other), far};
    if (best && best_rank <= rank) continue;
    best = candidate;
    best_rank = rank;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const auto near = nearest(word, known);
  return near ? " (did you mean " + *near + "?)" : "";
}

}  // namespace logpx
