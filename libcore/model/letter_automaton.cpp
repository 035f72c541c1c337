#include "libcore/model/letter_automaton.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

// What is given up on before the least automaton is known.
constexpr std::size_t most_places = 100'000;  // of letters, with all repetitions written out
constexpr int most_subsets = 50'000;
constexpr std::int64_t most_visits = std::int64_t{1} << 28;  // of places, for all subsets

// An automaton that may be in several states at once: its states read a letter of a set, and go on
// to others without one.
class PlaceAutomaton {
 public:
  PlaceAutomaton(const Expression& expression, const LetterClasses& classes, std::size_t first_set,
                 const Pattern& pattern)
      : classes_(classes), pattern_(pattern), next_set_(first_set) {
    const auto [from, to] = add(expression);
    start_ = from;
    end_ = to;
    seen_.assign(places_.size(), 0);
  }

  LetterAutomaton determined() {
    LetterAutomaton made{.classes = classes_.count()};
    made.start = number_of({start_}, made);
    for (int state = 0; state < made.states(); ++state) {
      std::vector<std::vector<int>> reached(at(made.classes));
      for (const int place : subsets_[at(state)]) {
        if (places_[at(place)].to < 0) continue;
        for (const int c : classes_.of_set(places_[at(place)].set))
          reached[at(c)].push_back(places_[at(place)].to);
      }
      for (const std::vector<int>& places : reached) made.next.push_back(number_of(places, made));
    }
    return made;
  }

 private:
  struct At {
    std::size_t set = 0;
    int to = -1;                   // behind a letter of the set; -1: it reads none
    std::vector<int> beside = {};  // without a letter
  };
  struct Part {
    int from, to;
  };

  int place() {
    if (places_.size() == most_places)
      fail(ErrorKind::usage, pattern_.option,
           "is longer than " + std::to_string(most_places / 2) +
               " letters with all its repetitions written out");
    places_.emplace_back();
    return static_cast<int>(places_.size()) - 1;
  }
  void link(int from, int to) { places_[at(from)].beside.push_back(to); }

  Part add(const Expression& expression) {
    switch (expression.kind) {
      case Expression::Kind::letters: return add_letters();
      case Expression::Kind::repeated: return add_repeated(expression);
      case Expression::Kind::sequence: return add_sequence(expression);
      case Expression::Kind::choice: break;
    }
    const Part all{place(), place()};
    for (const Expression& one : expression.parts) {
      const Part part = add(one);
      link(all.from, part.from);
      link(part.to, all.to);
    }
    return all;
  }

  Part add_letters() {
    const Part part{place(), place()};
    places_[at(part.from)].set = next_set_++;
    places_[at(part.from)].to = part.to;
    return part;
  }

  Part add_sequence(const Expression& expression) {
    Part all{place(), 0};
    all.to = all.from;
    for (const Expression& one : expression.parts) {
      const Part part = add(one);
      link(all.to, part.from);
      all.to = part.to;
    }
    return all;
  }

  // Every repetition is a copy that reads the same sets.
  Part add_repeated(const Expression& expression) {
    const std::size_t sets = next_set_;
    const auto copy = [&] {
      next_set_ = sets;
      return add(expression.parts[0]);
    };
    Part all{place(), 0};
    all.to = all.from;
    const auto append = [&] {
      const Part part = copy();
      link(all.to, part.from);
      all.to = part.to;
    };
    for (std::int64_t i = 0; i < expression.least; ++i) append();
    const int end = place();
    if (expression.most < 0) {
      const Part part = copy();
      link(end, part.from);
      link(part.to, end);
    }
    for (std::int64_t i = expression.least; i < expression.most; ++i) {
      link(all.to, end);
      append();
    }
    if (expression.most == 0) static_cast<void>(copy());  // counts its sets
    link(all.to, end);
    return {all.from, end};
  }

  // The subset of these places and of those beside them, as a state of `made`.
  int number_of(const std::vector<int>& places, LetterAutomaton& made) {
    ++stamp_;
    std::vector<int> waiting, subset;
    const auto meet = [&](int place) {
      if (std::exchange(seen_[at(place)], stamp_) != stamp_) waiting.push_back(place);
    };
    for (const int place : places) meet(place);
    while (!waiting.empty()) {
      const int place = waiting.back();
      waiting.pop_back();
      ++visits_;
      if (places_[at(place)].to >= 0 || place == end_) subset.push_back(place);
      for (const int other : places_[at(place)].beside) meet(other);
    }
    std::ranges::sort(subset);
    const auto [found, fresh] = numbers_.try_emplace(subset, made.states());
    if (!fresh) return found->second;
    if (visits_ > most_visits)
      fail(ErrorKind::usage, pattern_.option, "branches too often to become an automaton");
    if (made.states() == most_subsets)
      refuse_states(pattern_, "more than " + std::to_string(made.states()));
    made.accepts.push_back(std::ranges::binary_search(subset, end_));
    subsets_.push_back(std::move(subset));
    return found->second;
  }

  const LetterClasses& classes_;
  const Pattern& pattern_;
  std::size_t next_set_;
  std::vector<At> places_;
  int start_ = 0, end_ = 0;
  std::vector<int> seen_;
  int stamp_ = 0;
  std::map<std::vector<int>, int> numbers_;
  std::vector<std::vector<int>> subsets_;
  std::int64_t visits_ = 0;
};

}  // namespace

LetterClasses::LetterClasses(std::vector<char32_t> letters, std::span<const Expression* const> sets)
    : letters_(std::move(letters)), of_sets_(sets.size()) {
  std::map<std::vector<bool>, int> numbers;  // by the sets that hold a letter
  for (const char32_t letter : letters_) {
    std::vector<bool> held;
    for (const Expression* const set : sets) held.push_back(set->letters.holds(letter));
    const auto [found, fresh] = numbers.try_emplace(held, count_);
    classes_.push_back(found->second);
    if (!fresh) continue;
    for (std::size_t set = 0; set < held.size(); ++set)
      if (held[set]) of_sets_[set].push_back(count_);
    ++count_;
  }
}

int LetterClasses::of_letter(char32_t letter) const {
  const auto found = std::ranges::lower_bound(letters_, letter);
  return classes_[static_cast<std::size_t>(found - letters_.begin())];
}

void gather_sets(const Expression& expression, std::vector<const Expression*>& sets) {
  if (expression.kind == Expression::Kind::letters) sets.push_back(&expression);
  for (const Expression& part : expression.parts) gather_sets(part, sets);
}

LetterAutomaton automaton_of(const Expression& expression, const LetterClasses& classes,
                             std::size_t first_set, const Pattern& pattern) {
  return PlaceAutomaton(expression, classes, first_set, pattern).determined();
}

}  // namespace logpx
