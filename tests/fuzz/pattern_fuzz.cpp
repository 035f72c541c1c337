// Fuzz target of patterns of text: a regular expression, over three letters and over tokens of
// them. It is refused by a usage error, or its automaton and that of all other texts part all short
// texts among them, and texts cut into tokens match as their letters do.
#include "libcore/base/error.hpp"
#include "libcore/model/automaton.hpp"

using namespace logpx;

namespace {

constexpr std::size_t longest_pattern = 64;  // so that each input takes milliseconds

void require(bool holds) {
  if (!holds) __builtin_trap();
}

const std::vector<std::u32string> letters = {U"a", U"b", U"c"}, tokens = {U"ab", U"c", U"bca"};

void compare(const Pattern& pattern) {
  Pattern other = pattern;
  other.use = PatternUse::excluded;
  const auto made = [](const Pattern& one, const std::vector<std::u32string>& symbols) {
    return make_automaton(std::span(&one, 1), symbols);
  };
  const Automaton in = made(pattern, letters), out = made(other, letters),
                  by_tokens = made(pattern, tokens);
  require(in.states() <= most_automaton_states && out.states() <= most_automaton_states);
  std::vector<std::vector<std::int32_t>> texts = {{}};
  for (std::size_t i = 0; i < texts.size() && texts[i].size() < 5; ++i)
    for (std::int32_t x = 0; x < 3; ++x) {
      texts.push_back(texts[i]);
      texts.back().push_back(x);
    }
  for (const std::vector<std::int32_t>& text : texts) {
    require(in.matches(text) != out.matches(text));
    std::vector<std::int32_t> spelt;
    for (const std::int32_t token : text)
      for (const char32_t letter : tokens[static_cast<std::size_t>(token)])
        spelt.push_back(static_cast<std::int32_t>(letter - U'a'));
    require(by_tokens.matches(text) == in.matches(spelt));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pattern pattern{.option = "--pattern"};
  for (std::size_t i = 0; i < std::min(size, longest_pattern); ++i)
    pattern.text += static_cast<char32_t>(data[i]);
  try {
    compare(pattern);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage);
  }
  return 0;
}
