// Automata over classes of letters, whole: every state has a next one for every class, one of them
// from which nothing matches. The way from an expression to the least automaton.
//   [pc/README 9.11]
#pragma once

#include "libcore/model/pattern.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct LetterAutomaton {
  int classes = 0, start = 0;
  std::vector<int> next = {};      // [states, classes]
  std::vector<bool> accepts = {};  // [states]

  [[nodiscard]] int states() const { return static_cast<int>(accepts.size()); }
  [[nodiscard]] int to(int state, int letter_class) const {
    return next[static_cast<std::size_t>(state * classes + letter_class)];
  }
};

// Letters of an alphabet, told apart only where some set of a pattern does.
class LetterClasses {
 public:
  // letters: all different, in ascending order.
  LetterClasses(std::vector<char32_t> letters, std::span<const Expression* const> sets);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int of_letter(char32_t letter) const;
  // Classes that lie in set number `set`.
  [[nodiscard]] const std::vector<int>& of_set(std::size_t set) const { return of_sets_[set]; }

 private:
  std::vector<char32_t> letters_;
  std::vector<int> classes_;  // by letter
  std::vector<std::vector<int>> of_sets_;
  int count_ = 0;
};

// The parts of an expression that are sets of letters, from its front to its back.
void gather_sets(const Expression& expression, std::vector<const Expression*>& sets);

// Accepts the texts of an expression, whose sets are numbered from `first_set` on.
[[nodiscard]] LetterAutomaton automaton_of(const Expression& expression,
                                           const LetterClasses& classes, std::size_t first_set,
                                           const Pattern& pattern);
// Accepts what both accept.
[[nodiscard]] LetterAutomaton both(const LetterAutomaton& a, const LetterAutomaton& b,
                                   const Pattern& pattern);
// The same language with as few states as can be, numbered as they are first reached.
[[nodiscard]] LetterAutomaton least(const LetterAutomaton& automaton);
// Throws the usage error that says how many states a pattern needs.
[[noreturn]] void refuse_states(const Pattern& pattern, const std::string& count);
// States from which some text matches.
[[nodiscard]] std::vector<bool> live_states(const LetterAutomaton& automaton);

}  // namespace logpx
