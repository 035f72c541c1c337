// A regular expression as people write it, read into its parts. It is about a whole text, from its
// first letter to its last.   [pc/README 9.11]
//
//   const Expression whole = read_pattern({.option = "--pattern", .text = U".*(cat|dog)s?"});
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

// Letters by their code points, as ranges in ascending order, both ends included.
struct LetterSet {
  std::vector<std::pair<char32_t, char32_t>> ranges = {};

  [[nodiscard]] bool holds(char32_t letter) const;
  [[nodiscard]] static LetterSet all();
  [[nodiscard]] LetterSet others() const;
  void add(char32_t first, char32_t last);
  void add(const LetterSet& more);
};

struct Expression {
  enum class Kind { letters, sequence, choice, repeated };
  Kind kind = Kind::sequence;
  std::vector<Expression> parts = {};
  LetterSet letters = {};
  std::size_t place = 0;              // of letters, in the pattern
  std::int64_t least = 0, most = -1;  // of what is repeated; -1: any number
};

enum class PatternUse { wanted, excluded };
struct Pattern {
  std::string option;      // "--pattern", for messages
  std::u32string text;     // what is read
  std::string shown = {};  // the same for messages, in UTF-8
  PatternUse use = PatternUse::wanted;
};

// Letters stand for themselves, . for any one, [a-z] and [^a-z] for one of a set or one outside it;
// ( ), | and *, +, ?, {m}, {m,}, {m,n} as usual; \ takes a sign literally, and \n, \t, \r, \xHH,
// \d, \w, \s and \D, \W, \S are what they are elsewhere. Throws a usage error that shows the place.
[[nodiscard]] Expression read_pattern(const Pattern& pattern);
// That error: what is wrong, the pattern, and a caret under the place.
[[noreturn]] void refuse_pattern(const Pattern& pattern, std::size_t place,
                                 const std::string& what);

}  // namespace logpx
