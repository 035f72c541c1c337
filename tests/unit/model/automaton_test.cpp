// Patterns of text as automata, beside the matcher of the C library.
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/model/automaton.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <regex.h>

namespace logpx::automaton_test {

namespace {

using Text = std::vector<std::int32_t>;

Pattern pattern(const std::string& text, PatternUse use = PatternUse::wanted) {
  return {.option = use == PatternUse::wanted ? "--pattern" : "--without",
          .text = {text.begin(), text.end()},
          .shown = text,
          .use = use};
}

std::vector<std::u32string> symbols_of(const std::string& letters) {
  std::vector<std::u32string> symbols;
  for (const char letter : letters) symbols.emplace_back(1, static_cast<char32_t>(letter));
  return symbols;
}

Automaton over(const std::string& letters, const std::vector<Pattern>& patterns) {
  return make_automaton(patterns, symbols_of(letters));
}

// Every sequence of up to `longest` of so many symbols.
std::vector<Text> texts(std::int32_t symbols, std::size_t longest) {
  std::vector<Text> all = {{}};
  for (std::size_t i = 0; i < all.size() && all[i].size() < longest; ++i)
    for (std::int32_t x = 0; x < symbols; ++x) {
      Text longer = all[i];
      longer.push_back(x);
      all.push_back(longer);
    }
  return all;
}

class DirectMatcher {
 public:
  explicit DirectMatcher(const std::string& text) {
    REQUIRE(regcomp(&regex_, ("^(" + text + ")$").c_str(), REG_EXTENDED | REG_NOSUB) == 0);
  }
  ~DirectMatcher() { regfree(&regex_); }
  DirectMatcher(const DirectMatcher&) = delete;
  DirectMatcher& operator=(const DirectMatcher&) = delete;
  [[nodiscard]] bool matches(const std::string& text) const {
    return regexec(&regex_, text.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t regex_{};
};

// A pattern of letters a, b and c, grown from draws.
std::string drawn_pattern(Cursor& draws, int depth) {
  const auto inner = [&] { return drawn_pattern(draws, depth - 1); };
  switch (draws.below(depth > 0 ? 7 : 3)) {
    case 0: return std::string(1, "abc"[draws.below(3)]);
    case 1: return ".";
    case 2: return "[^a]";
    case 3: return inner() + inner();
    case 4: return '(' + inner() + '|' + inner() + ')';
    case 5: return '(' + inner() + ')' + "*+?"[draws.below(3)];
    default: break;
  }
  const std::string least = std::to_string(draws.below(3)),
                    most = std::to_string(2 + draws.below(2));
  return '(' + inner() + "){" + least + ',' + most + '}';
}

std::string error_of(const std::string& letters, const std::string& text) {
  try {
    static_cast<void>(over(letters, {pattern(text)}));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("automaton: it accepts what a direct matcher matches, of all short texts") {
  std::vector<std::string> patterns = {
      ".*ab.*", "(a|bc)*",   "a{2,4}[bc]+", "[^a]*a?[^a]*",      "a{0}b",
      "(a|)b",  "[a-b]{3,}", "(ab){2}|c*",  "((a|b){2}c?){1,2}", ".*(ab|ca).*b"};
  Cursor draws(Rng(1).stream(Stream::evaluation, 0));
  for (int i = 0; i < 200; ++i) patterns.push_back(drawn_pattern(draws, 4));
  for (const std::string& text : patterns) {
    CAPTURE(text);
    const Automaton automaton = over("abc", {pattern(text)});
    const DirectMatcher direct(text);
    bool same = true;
    for (const Text& x : texts(3, 6)) {
      std::string letters;
      for (const std::int32_t symbol : x) letters += "abc"[symbol];
      same = same && automaton.matches(x) == direct.matches(letters);
    }
    CHECK(same);
  }
}

TEST_CASE("automaton: several patterns hold together, and those that are excluded do not") {
  const std::vector<Pattern> all = {pattern(".*a.*"), pattern(".{2,4}"),
                                    pattern(".*bb.*", PatternUse::excluded)};
  const Automaton together = over("abc", all), one = over("abc", {all[0]}),
                  two = over("abc", {all[1]}), three = over("abc", {pattern(".*bb.*")});
  for (const Text& x : texts(3, 6))
    CHECK(together.matches(x) == (one.matches(x) && two.matches(x) && !three.matches(x)));
}

TEST_CASE("automaton: a token is a path of letters, whatever texts are cut into") {
  const std::vector<std::u32string> tokens = {U"a", U"ab", U"b ", U" ca", U"c", U"bca"};
  for (const char* text : {".*b ca.*", "(ab|ca)*", "[^ ]*", "a.*a"}) {
    CAPTURE(text);
    const std::vector<Pattern> patterns = {pattern(text)};
    const Automaton automaton = make_automaton(patterns, tokens);
    const DirectMatcher direct(text);
    for (const Text& x : texts(6, 4)) {
      std::string letters;
      for (const std::int32_t token : x)
        letters.append(tokens[static_cast<std::size_t>(token)].begin(),
                       tokens[static_cast<std::size_t>(token)].end());
      CHECK(automaton.matches(x) == direct.matches(letters));
    }
  }
}

TEST_CASE("automaton: no two states accept the same rests, and each one accepts some") {
  for (const char* text : {".*ab.*", "(a|bc)*", "a{2,4}[bc]+", ".*a.{3}"}) {
    CAPTURE(text);
    const Automaton automaton = over("abc", {pattern(text)});
    std::set<std::vector<bool>> rests;
    for (int state = 0; state < automaton.states(); ++state) {
      std::vector<bool> accepted;
      for (const Text& x : texts(3, 5)) {
        int to = state;
        for (const std::int32_t symbol : x) to = automaton.next(to, automaton.group_of(symbol));
        accepted.push_back(automaton.accepts(to));
      }
      CHECK(std::ranges::count(accepted, true) > 0);
      rests.insert(accepted);
    }
    CHECK(std::ssize(rests) == automaton.states());
  }
  CHECK(over(" abcdefghijklmnopqrstuvwxyz", {pattern(".* whale .*")}).states() == 8);
}

TEST_CASE("automaton: what nothing matches has no state") {
  const Automaton none = over("ab", {pattern("a+"), pattern("b+")});
  CHECK(none.states() == 0);
  CHECK_FALSE(none.matches(Text{}));
  CHECK_FALSE(none.matches(Text{0}));
}

TEST_CASE("automaton: one that needs more than 4,096 states is refused, and says how many") {
  CHECK(over("ab", {pattern(".*a.{11}")}).states() == 4096);
  CHECK(error_of("ab", ".*a.{12}").find("of 8192 states, at most 4096") != std::string::npos);
  CHECK(error_of("ab", ".*a.{30}").find("of more than 50000 states") != std::string::npos);
  CHECK(error_of("ab", "(a{1000}){1000}").find("with all its repetitions") != std::string::npos);
}

TEST_CASE("automaton: a pattern that cannot be read has a caret under the place") {
  CHECK(error_of("ab", "a(b") == "there is no ) for this (\n  a(b\n   ^");
  for (const char* text : {"ab)", "*a", "a**", "[ab", "[]", "[b-a]", "a{2", "a{3,2}", "a{5000}",
                           "\\q", "\\", "b^", "(|", "\\x4", "[[:alpha:]]", "a|?", "[a-"})
    CHECK_MESSAGE(error_of("ab", text).ends_with('^'), text);
  CHECK(error_of("ab", "a[x-z]b") == "no letter of the model's alphabet is this\n  a[x-z]b\n   ^");
  CHECK(error_of("ab", "").find("is empty") != std::string::npos);
}

TEST_CASE("automaton: the patterns that fuzzers begin with are read") {
  int read = 0;
  for (const auto& seed :
       std::filesystem::directory_iterator(LOGPX_SOURCE_DIR "/tests/fuzz/corpus/pattern")) {
    CAPTURE(seed.path().string());
    std::ostringstream whole;
    whole << std::ifstream(seed.path()).rdbuf();
    CHECK(error_of("abc", whole.str()) == "");
    ++read;
  }
  CHECK(read == 4);
}

TEST_CASE("automaton: escapes are signs, controls, hexadecimals and the usual sets") {
  const std::string letters = "a1_ \n.-";
  const auto accepted = [&](const std::string& text) {
    const Automaton automaton = over(letters, {pattern(text)});
    std::string found;
    for (std::int32_t x = 0; x < static_cast<std::int32_t>(letters.size()); ++x)
      if (automaton.matches(Text{x})) found += letters[static_cast<std::size_t>(x)];
    return found;
  };
  CHECK(accepted("\\.") == ".");
  CHECK(accepted("\\n") == "\n");
  CHECK(accepted("\\x5f") == "_");
  CHECK(accepted("\\d") == "1");
  CHECK(accepted("\\w") == "a1_");
  CHECK(accepted("\\S") == "a1_.-");
  CHECK(accepted("[\\s.]") == " \n.");
  CHECK(accepted("[^\\D]") == "1");
  CHECK(accepted("[a-]") == "a-");
  CHECK(accepted(".") == letters);
}

}  // namespace logpx::automaton_test
