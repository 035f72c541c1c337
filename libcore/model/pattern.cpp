#include "libcore/model/pattern.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/shown_name.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace logpx {
namespace {

constexpr char32_t last_letter = 0x10ffff;
constexpr std::size_t longest_pattern = 10'000;
constexpr int deepest = 200;               // brackets inside each other
constexpr std::int64_t most_times = 4096;  // that {m,n} repeats

// Bytes of the first `count` letters of UTF-8.
std::size_t bytes_before(std::string_view text, std::size_t count) {
  std::size_t byte = 0;
  while (byte < text.size() && count > 0) {
    do ++byte;
    while (byte < text.size() && (static_cast<unsigned char>(text[byte]) & 0xc0) == 0x80);
    --count;
  }
  return byte;
}

LetterSet set_of(std::initializer_list<std::pair<char32_t, char32_t>> ranges) {
  LetterSet set;
  for (const auto& [first, last] : ranges) set.add(first, last);
  return set;
}

// What \d, \w and \s stand for.
std::optional<LetterSet> named_set(char32_t letter) {
  switch (letter) {
    case U'd': return set_of({{U'0', U'9'}});
    case U'w': return set_of({{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}});
    case U's': return set_of({{U'\t', U'\r'}, {U' ', U' '}});
    case U'D':
    case U'W':
    case U'S': return named_set(letter - U'A' + U'a')->others();
    default: return std::nullopt;
  }
}

bool is_alphanumeric(char32_t letter) { return named_set(U'w')->holds(letter) && letter != U'_'; }

std::optional<std::uint32_t> hex_digit(char32_t letter) {
  if (letter >= U'0' && letter <= U'9') return letter - U'0';
  if (letter >= U'a' && letter <= U'f') return letter - U'a' + 10;
  if (letter >= U'A' && letter <= U'F') return letter - U'A' + 10;
  return std::nullopt;
}

class PatternReader {
 public:
  explicit PatternReader(const Pattern& pattern) : pattern_(pattern), text_(pattern.text) {}

  Expression read() {
    if (text_.empty()) fail(ErrorKind::usage, pattern_.option, "is empty");
    if (text_.size() > longest_pattern)
      fail(ErrorKind::usage, pattern_.option, "is longer than 10,000 letters");
    Expression whole = choice(0);
    if (!ended()) bad(next_, "there is no ( for this )");
    return whole;
  }

 private:
  [[noreturn]] void bad(std::size_t place, const std::string& what) const {
    refuse_pattern(pattern_, place, what);
  }
  [[nodiscard]] bool ended() const { return next_ == text_.size(); }
  [[nodiscard]] bool is(char32_t letter) const { return !ended() && text_[next_] == letter; }
  [[nodiscard]] bool repeats() const { return is(U'*') || is(U'+') || is(U'?') || is(U'{'); }
  bool take(char32_t letter) {
    if (!is(letter)) return false;
    ++next_;
    return true;
  }

  Expression choice(int depth) {
    Expression all{.kind = Expression::Kind::choice};
    do all.parts.push_back(sequence(depth));
    while (take(U'|'));
    return all.parts.size() == 1 ? std::move(all.parts[0]) : all;
  }

  Expression sequence(int depth) {
    Expression all{.kind = Expression::Kind::sequence};
    while (!ended() && !is(U'|') && !is(U')')) all.parts.push_back(repeated(depth));
    return all.parts.size() == 1 ? std::move(all.parts[0]) : all;
  }

  Expression repeated(int depth) {
    Expression one = atom(depth);
    if (!repeats()) return one;
    Expression all{.kind = Expression::Kind::repeated};
    if (take(U'*')) all.most = -1;
    else if (take(U'+')) all.least = 1;
    else if (take(U'?')) all.most = 1;
    else read_times(all);
    if (repeats()) bad(next_, "what it repeats is repeated already: put that in ( )");
    all.parts.push_back(std::move(one));
    return all;
  }

  // {m}, {m,}, {,n} or {m,n}
  void read_times(Expression& all) {
    const std::size_t open = next_++;
    const std::optional<std::int64_t> least = times(open);
    const bool range = take(U',');
    const std::optional<std::int64_t> most = range ? times(open) : least;
    if (!take(U'}') || (!least && !most))
      bad(open, "this is not {m}, {m,} or {m,n}; the sign itself is \\{");
    all.least = least.value_or(0);
    all.most = most.value_or(-1);
    if (most && all.least > all.most) bad(open, "the first number is above the second");
  }

  std::optional<std::int64_t> times(std::size_t open) {
    std::optional<std::int64_t> number;
    for (; !ended() && text_[next_] >= U'0' && text_[next_] <= U'9'; ++next_) {
      number = 10 * number.value_or(0) + (text_[next_] - U'0');
      if (*number > most_times) bad(open, "it repeats more than 4096 times");
    }
    return number;
  }

  Expression atom(int depth) {
    const std::size_t place = next_;
    if (repeats()) bad(place, "there is nothing before it to repeat");
    if (is(U'^') || is(U'$'))
      bad(place,
          "a pattern is about a whole text, and begins and ends with it; the sign itself is "
          "\\" +
              std::string(1, static_cast<char>(text_[place])));
    if (take(U'(')) {
      if (depth == deepest) bad(place, "there are more than 200 ( inside each other");
      Expression inner = choice(depth + 1);
      if (!take(U')')) bad(place, "there is no ) for this (");
      return inner;
    }
    Expression one{.kind = Expression::Kind::letters, .place = place};
    if (take(U'.')) one.letters = LetterSet::all();
    else if (take(U'[')) one.letters = set(place);
    else one.letters = letter();
    return one;
  }

  // A letter, or what a \ makes of it.
  LetterSet letter() {
    const std::size_t place = next_;
    const char32_t first = text_[next_++];
    if (first != U'\\') return set_of({{first, first}});
    if (ended()) bad(place, "nothing follows the \\");
    const char32_t escaped = text_[next_++];
    if (const auto named = named_set(escaped)) return *named;
    if (!is_alphanumeric(escaped)) return set_of({{escaped, escaped}});
    switch (escaped) {
      case U'n': return set_of({{U'\n', U'\n'}});
      case U't': return set_of({{U'\t', U'\t'}});
      case U'r': return set_of({{U'\r', U'\r'}});
      case U'x': {
        const char32_t code = hex(place);
        return set_of({{code, code}});
      }
      default: bad(place, "after a \\ come a sign, n, t, r, xHH, d, w, s, D, W or S");
    }
  }

  char32_t hex(std::size_t place) {
    char32_t code = 0;
    for (int digit = 0; digit < 2; ++digit, ++next_) {
      const auto value = ended() ? std::nullopt : hex_digit(text_[next_]);
      if (!value) bad(place, "after \\x come two digits from 0 to f");
      code = 16 * code + *value;
    }
    return code;
  }

  // What follows a [, up to its ].
  LetterSet set(std::size_t open) {
    const bool excludes = take(U'^');
    LetterSet all;
    while (!take(U']')) {
      if (ended()) bad(open, "there is no ] for this [");
      if (is(U'[') && next_ + 1 < text_.size() && text_[next_ + 1] == U':')
        bad(next_, "sets with a name are \\d, \\w and \\s here");
      add_item(all, open);
    }
    if (all.ranges.empty())
      bad(open, "there is nothing between [ and ]; the signs are \\[ and \\]");
    return excludes ? all.others() : all;
  }

  // A letter, or a range.
  void add_item(LetterSet& all, std::size_t open) {
    const std::size_t place = next_;
    const LetterSet first = letter();
    const bool range = is(U'-') && next_ + 1 < text_.size() && text_[next_ + 1] != U']';
    if (!range) return all.add(first);
    ++next_;
    if (ended()) bad(open, "there is no ] for this [");
    const LetterSet last = letter();
    const auto is_letter = [](const LetterSet& one) {
      return one.ranges.size() == 1 && one.ranges[0].first == one.ranges[0].second;
    };
    if (!is_letter(first) || !is_letter(last) || first.ranges[0].first > last.ranges[0].first)
      bad(place, "this is not a range from one letter to a later one; the sign itself is \\-");
    all.add(first.ranges[0].first, last.ranges[0].first);
  }

  const Pattern& pattern_;
  const std::u32string& text_;
  std::size_t next_ = 0;
};

}  // namespace

bool LetterSet::holds(char32_t letter) const {
  return std::ranges::any_of(
      ranges, [&](const auto& range) { return range.first <= letter && letter <= range.second; });
}

LetterSet LetterSet::all() { return {.ranges = {{0, last_letter}}}; }

LetterSet LetterSet::others() const {
  LetterSet rest;
  char32_t next = 0;
  for (const auto& [first, last] : ranges) {
    if (first > next) rest.ranges.emplace_back(next, first - 1);
    next = last + 1;
  }
  if (next <= last_letter) rest.ranges.emplace_back(next, last_letter);
  return rest;
}

void LetterSet::add(char32_t first, char32_t last) {
  ranges.emplace_back(first, last);
  std::ranges::sort(ranges);
  std::vector<std::pair<char32_t, char32_t>> joined;
  for (const auto& range : ranges)
    if (!joined.empty() && range.first <= joined.back().second + 1)
      joined.back().second = std::max(joined.back().second, range.second);
    else joined.push_back(range);
  ranges = std::move(joined);
}

void LetterSet::add(const LetterSet& more) {
  for (const auto& [first, last] : more.ranges) add(first, last);
}

Expression read_pattern(const Pattern& pattern) { return PatternReader(pattern).read(); }

void refuse_pattern(const Pattern& pattern, std::size_t place, const std::string& what) {
  const std::string before =
      shown_name(std::string_view(pattern.shown).substr(0, bytes_before(pattern.shown, place)));
  const auto columns = std::ranges::count_if(
      before, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  fail(ErrorKind::usage, pattern.option,
       what + "\n  " + shown_name(pattern.shown) + "\n  " +
           std::string(static_cast<std::size_t>(columns), ' ') + '^');
}

}  // namespace logpx
