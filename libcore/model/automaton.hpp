// Texts that match patterns, as the deterministic automaton with the fewest states: what reads a
// text symbol by symbol and says whether it is one of them. A symbol is a letter, or a token of
// several letters.   [pc/README 9.11]
//
//   const std::vector<Pattern> patterns = {{"--pattern", U".* whale .*"}};
//   const Automaton whale = make_automaton(patterns, symbols);
//   int state = whale.start();
//   for (const std::int32_t x : text) state = whale.next(state, whale.group_of(x));
//   const bool matches = whale.accepts(state);
#pragma once

#include "libcore/model/pattern.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

inline constexpr std::int64_t most_automaton_states = 4096;

class Automaton {
 public:
  static constexpr int dead = -1;  // whatever follows, the text does not match

  // next: a row of groups for each state, of which 0 is the start; no states: nothing matches.
  Automaton(std::vector<int> next, std::vector<bool> accepts, std::vector<int> groups);

  [[nodiscard]] int states() const { return static_cast<int>(accepts_.size()); }
  [[nodiscard]] int start() const { return accepts_.empty() ? dead : 0; }
  [[nodiscard]] bool accepts(int state) const {
    return state >= 0 && accepts_[static_cast<std::size_t>(state)];
  }
  // Symbols that do the same in every state form a group.
  [[nodiscard]] int groups() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] int group_of(std::int64_t symbol) const {
    return groups_[static_cast<std::size_t>(symbol)];
  }
  [[nodiscard]] const std::vector<std::int32_t>& members(int group) const {
    return members_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] int next(int state, int group) const {
    return state < 0 ? dead : next_[static_cast<std::size_t>(state * groups() + group)];
  }
  [[nodiscard]] std::int64_t symbols() const { return std::ssize(groups_); }
  [[nodiscard]] bool matches(std::span<const std::int32_t> text) const;

 private:
  std::vector<int> next_;
  std::vector<bool> accepts_;
  std::vector<int> groups_;  // by symbol
  std::vector<std::vector<std::int32_t>> members_;
};

// Accepts texts that match all wanted patterns and none that is excluded; symbols are the letters
// of each. Throws a usage error for a pattern that cannot be read, for letters that no symbol has,
// and for more than most_automaton_states.
[[nodiscard]] Automaton make_automaton(std::span<const Pattern> patterns,
                                       std::span<const std::u32string> symbols);

}  // namespace logpx
