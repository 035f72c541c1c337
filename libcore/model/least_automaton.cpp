// Automata of letters made least, and put together.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/model/letter_automaton.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

constexpr int most_pairs = 100'000;  // of states of two automata

// Numbers 0 .. n - 1 in blocks, which only ever part.
class Partition {
 public:
  explicit Partition(int n) : elements_(at(n)), places_(at(n)), blocks_(at(n)), ranges_{{0, n}} {
    std::iota(elements_.begin(), elements_.end(), 0);
    std::iota(places_.begin(), places_.end(), 0);
  }

  [[nodiscard]] int blocks() const { return static_cast<int>(ranges_.size()); }
  [[nodiscard]] int block_of(int element) const { return blocks_[at(element)]; }
  [[nodiscard]] std::span<const int> elements(int block) const {
    const Range& range = ranges_[at(block)];
    return std::span(elements_).subspan(at(range.begin), at(range.end - range.begin));
  }

  void mark(int element) {
    Range& range = ranges_[at(block_of(element))];
    const int place = places_[at(element)], to = range.begin + range.marked;
    if (place < to) return;
    if (range.marked++ == 0) touched_.push_back(block_of(element));
    std::swap(elements_[at(place)], elements_[at(to)]);
    places_[at(elements_[at(place)])] = place;
    places_[at(element)] = to;
  }

  // Parts what is marked from the rest of its block; returns the blocks that this makes, each the
  // smaller part of an old one.
  std::vector<int> part() {
    std::vector<int> made;
    for (const int block : std::exchange(touched_, {})) {
      Range& old = ranges_[at(block)];
      const int middle = old.begin + std::exchange(old.marked, 0);
      if (middle == old.end) continue;
      const bool front = middle - old.begin <= old.end - middle;
      const Range smaller = front ? Range{old.begin, middle} : Range{middle, old.end};
      (front ? old.begin : old.end) = middle;
      for (int i = smaller.begin; i < smaller.end; ++i) blocks_[at(elements_[at(i)])] = blocks();
      made.push_back(blocks());
      ranges_.push_back(smaller);
    }
    return made;
  }

 private:
  struct Range {
    int begin = 0, end = 0, marked = 0;
  };
  std::vector<int> elements_, places_, blocks_;
  std::vector<Range> ranges_;
  std::vector<int> touched_;
};

// The states that lead to each state, class by class.
class WaysBack {
 public:
  explicit WaysBack(const LetterAutomaton& automaton)
      : states_(automaton.states()),
        begins_(automaton.next.size() + 1),
        from_(automaton.next.size()) {
    for (std::size_t i = 0; i < automaton.next.size(); ++i) ++begins_[slot(automaton, i) + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::vector<int> filled = begins_;
    for (std::size_t i = 0; i < automaton.next.size(); ++i)
      from_[at(filled[slot(automaton, i)]++)] = static_cast<int>(i / at(automaton.classes));
  }

  [[nodiscard]] std::span<const int> to(int state, int letter_class) const {
    const std::size_t one = at(letter_class) * at(states_) + at(state);
    return std::span(from_).subspan(at(begins_[one]), at(begins_[one + 1] - begins_[one]));
  }

 private:
  [[nodiscard]] std::size_t slot(const LetterAutomaton& automaton, std::size_t i) const {
    return i % at(automaton.classes) * at(states_) + at(automaton.next[i]);
  }
  int states_;
  std::vector<int> begins_, from_;
};

// Blocks of states that no text tells apart.   [Hopcroft 1971]
Partition alike(const LetterAutomaton& automaton) {
  const WaysBack back(automaton);
  Partition blocks(automaton.states());
  for (int state = 0; state < automaton.states(); ++state)
    if (automaton.accepts[at(state)]) blocks.mark(state);
  std::vector<std::pair<int, int>> waiting;  // a block and a class, by which others are parted
  const auto wait = [&](int block) {
    for (int c = 0; c < automaton.classes; ++c) waiting.emplace_back(block, c);
  };
  wait(0);
  for (const int block : blocks.part()) wait(block);
  while (!waiting.empty()) {
    const auto [block, c] = waiting.back();
    waiting.pop_back();
    std::vector<int> sources;
    for (const int state : blocks.elements(block))
      sources.insert(sources.end(), back.to(state, c).begin(), back.to(state, c).end());
    for (const int source : sources) blocks.mark(source);
    for (const int made : blocks.part()) wait(made);
  }
  return blocks;
}

// An automaton of what `start` reaches, numbered as it is first reached. The state behind class c
// is to(state, c); accepts(state) says whether it ends a text.
template <typename State, typename To, typename Accepts>
LetterAutomaton reached_from(const State& start, int classes, To to, Accepts accepts) {
  LetterAutomaton made{.classes = classes};
  std::map<State, int> numbers = {{start, 0}};
  std::vector<State> states = {start};
  for (std::size_t i = 0; i < states.size(); ++i) {
    const State state = states[i];
    made.accepts.push_back(accepts(state));
    for (int c = 0; c < classes; ++c) {
      const State next = to(state, c);
      const auto [found, fresh] = numbers.try_emplace(next, static_cast<int>(states.size()));
      if (fresh) states.push_back(next);
      made.next.push_back(found->second);
    }
  }
  return made;
}

}  // namespace

LetterAutomaton both(const LetterAutomaton& a, const LetterAutomaton& b, const Pattern& pattern) {
  int count = 0;
  const auto accepts = [&](const std::pair<int, int>& state) {
    if (++count > most_pairs) refuse_states(pattern, "more than " + std::to_string(most_pairs));
    return a.accepts[at(state.first)] && b.accepts[at(state.second)];
  };
  const auto to = [&](const std::pair<int, int>& state, int c) {
    return std::pair(a.to(state.first, c), b.to(state.second, c));
  };
  return reached_from(std::pair(a.start, b.start), a.classes, to, accepts);
}

LetterAutomaton least(const LetterAutomaton& automaton) {
  const auto reached = reached_from(
      automaton.start, automaton.classes, [&](int state, int c) { return automaton.to(state, c); },
      [&](int state) { return bool{automaton.accepts[at(state)]}; });
  const Partition blocks = alike(reached);
  return reached_from(
      blocks.block_of(0), reached.classes,
      [&](int block, int c) { return blocks.block_of(reached.to(blocks.elements(block)[0], c)); },
      [&](int block) { return bool{reached.accepts[at(blocks.elements(block)[0])]}; });
}

std::vector<bool> live_states(const LetterAutomaton& automaton) {
  const WaysBack back(automaton);
  std::vector<bool> live = automaton.accepts;
  std::vector<int> waiting;
  for (int state = 0; state < automaton.states(); ++state)
    if (live[at(state)]) waiting.push_back(state);
  while (!waiting.empty()) {
    const int state = waiting.back();
    waiting.pop_back();
    for (int c = 0; c < automaton.classes; ++c)
      for (const int source : back.to(state, c))
        if (!live[at(source)]) live[at(source)] = true, waiting.push_back(source);
  }
  return live;
}

void refuse_states(const Pattern& pattern, const std::string& count) {
  fail(ErrorKind::usage, pattern.option,
       "needs an automaton of " + count +
           " states, at most 4096 are kept: a pattern that counts, or "
           "looks far ahead, needs many");
}

}  // namespace logpx
