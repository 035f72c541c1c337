#include "formats/import/word_lists.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t few_words = 20;  // that occur once: no id, whatever the others do

}  // namespace

void WordList::add(std::string_view word) {
  if (too_many_) return;
  const auto known = counts_.find(word);
  if (known != counts_.end()) {
    ++known->second;
    return;
  }
  if (counts_.size() < most_) {
    counts_.emplace(std::string(word), 1);
    return;
  }
  too_many_ = true;
  counts_.clear();
}

std::string WordList::why_id() const {
  if (too_many_) return "it has more than " + std::to_string(most_) + " words";
  const std::int64_t once =
      std::ranges::count_if(counts_, [](const auto& word) { return word.second == 1; });
  std::int64_t cells = 0;
  for (const auto& [word, count] : counts_) cells += count;
  if (once <= few_words || 2 * once <= cells) return "";
  return std::to_string(once) + " of its " + std::to_string(cells) + " words occur once";
}

std::vector<std::string> WordList::sorted() const {
  std::vector<std::string> words;
  for (const auto& [word, count] : counts_) words.push_back(word);
  std::ranges::sort(words);
  return words;
}

}  // namespace logpx
