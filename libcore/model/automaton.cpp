#include "libcore/model/automaton.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/model/letter_automaton.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace logpx {
namespace {

std::vector<char32_t> letters_of(std::span<const std::u32string> symbols) {
  std::vector<char32_t> letters;
  for (const std::u32string& symbol : symbols)
    letters.insert(letters.end(), symbol.begin(), symbol.end());
  std::ranges::sort(letters);
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  return letters;
}

// Numbers equal keys alike, in the order of their first occurrence.
template <typename Key>
class Numbering {
 public:
  int operator()(const Key& key) {
    return numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second;
  }
  [[nodiscard]] int count() const { return static_cast<int>(numbers_.size()); }
  [[nodiscard]] const std::map<Key, int>& all() const { return numbers_; }

 private:
  std::map<Key, int> numbers_;
};

// The texts of all patterns together, letter by letter.
LetterAutomaton joined(std::span<const Pattern> patterns, const std::vector<Expression>& parsed,
                       const LetterClasses& classes) {
  LetterAutomaton all;
  std::size_t first = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::vector<const Expression*> sets;
    gather_sets(parsed[i], sets);
    for (std::size_t set = 0; set < sets.size(); ++set)
      if (classes.of_set(first + set).empty())
        refuse_pattern(patterns[i], sets[set]->place, "no letter of the model's alphabet is this");
    LetterAutomaton one = least(automaton_of(parsed[i], classes, first, patterns[i]));
    if (patterns[i].use == PatternUse::excluded) one.accepts.flip();
    all = i == 0 ? std::move(one) : least(both(all, one, patterns[i]));
    first += sets.size();
  }
  return all;
}

std::int64_t count_live(const LetterAutomaton& automaton) {
  return std::ranges::count(live_states(automaton), true);
}

// The same texts as sequences of symbols; group_of: by symbol, its class there.
LetterAutomaton over_symbols(const LetterAutomaton& letters, const LetterClasses& classes,
                             std::span<const std::u32string> symbols, std::vector<int>& group_of) {
  Numbering<std::vector<int>> paths;  // symbols of equal classes are alike
  for (const std::u32string& symbol : symbols) {
    std::vector<int> path;
    for (const char32_t letter : symbol) path.push_back(classes.of_letter(letter));
    group_of.push_back(paths(path));
  }
  LetterAutomaton all{.classes = paths.count(), .start = letters.start};
  all.accepts = letters.accepts;
  all.next.resize(at(letters.states()) * at(all.classes));
  for (const auto& [path, group] : paths.all())
    for (int state = 0; state < letters.states(); ++state) {
      int to = state;
      for (const int letter : path) to = letters.to(to, letter);
      all.next[at(state * all.classes + group)] = to;
    }
  return least(all);
}

// Leaves out states from which nothing matches, and puts groups together that have become alike.
Automaton trimmed(const LetterAutomaton& whole, std::vector<int> group_of) {
  const std::vector<bool> live = live_states(whole);
  std::vector<int> numbers(live.size(), Automaton::dead), states;
  for (int state = 0; state < whole.states(); ++state) {
    if (!live[at(state)]) continue;
    numbers[at(state)] = static_cast<int>(states.size());
    states.push_back(state);
  }
  Numbering<std::vector<int>> columns;
  std::vector<int> merged;
  std::vector<bool> accepts;
  for (int c = 0; c < whole.classes; ++c) {
    std::vector<int> column;
    for (const int state : states) column.push_back(numbers[at(whole.to(state, c))]);
    merged.push_back(columns(column));
  }
  std::vector<int> next(states.size() * at(columns.count()));
  for (const auto& [column, group] : columns.all())
    for (std::size_t i = 0; i < states.size(); ++i)
      next[i * at(columns.count()) + at(group)] = column[i];
  for (const int state : states) accepts.push_back(whole.accepts[at(state)]);
  for (int& group : group_of) group = merged[at(group)];
  return {std::move(next), std::move(accepts), std::move(group_of)};
}

}  // namespace

Automaton::Automaton(std::vector<int> next, std::vector<bool> accepts, std::vector<int> groups)
    : next_(std::move(next)), accepts_(std::move(accepts)), groups_(std::move(groups)) {
  for (std::size_t symbol = 0; symbol < groups_.size(); ++symbol) {
    if (at(groups_[symbol]) >= members_.size()) members_.resize(at(groups_[symbol]) + 1);
    members_[at(groups_[symbol])].push_back(static_cast<std::int32_t>(symbol));
  }
}

bool Automaton::matches(std::span<const std::int32_t> text) const {
  int state = start();
  for (const std::int32_t symbol : text) state = next(state, group_of(symbol));
  return accepts(state);
}

Automaton make_automaton(std::span<const Pattern> patterns,
                         std::span<const std::u32string> symbols) {
  std::vector<Expression> parsed;
  for (const Pattern& pattern : patterns) parsed.push_back(read_pattern(pattern));
  std::vector<const Expression*> sets;
  for (const Expression& expression : parsed) gather_sets(expression, sets);
  const LetterClasses classes(letters_of(symbols), sets);
  const LetterAutomaton letters = joined(patterns, parsed, classes);
  if (const std::int64_t live = count_live(letters); live > most_automaton_states)
    refuse_states(patterns.back(), std::to_string(live));
  std::vector<int> group_of;
  const LetterAutomaton whole = over_symbols(letters, classes, symbols, group_of);
  return trimmed(whole, std::move(group_of));
}

}  // namespace logpx
