// Subword tokens of text.
#include "formats/import/tokens.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::tokens_test {

using namespace logpx::testing;

namespace {

std::vector<std::string> pieces_of(const std::u32string& text) {
  std::vector<std::string> pieces;
  const auto keep = [&](const std::string& piece) { pieces.push_back(piece); };
  TokenPieces cutter;
  for (const char32_t code : text) cutter.put(code, keep);
  cutter.finish(keep);
  return pieces;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

// Whether this build makes tokens; else its refusal is what it should be.
bool makes_tokens() {
#if LOGPX_HAVE_SENTENCEPIECE
  return true;
#else
  return false;
#endif
}

const std::string some_words = "the whale is white\nand  the sea is wide\nthe sea the whale\n";

}  // namespace

TEST_CASE("tokens: a text is cut behind its lines, and before a space in long ones") {
  CHECK(pieces_of(U"a b\nc") == std::vector<std::string>{"a b\n", "c"});
  const std::u32string line(2000, U'x');
  const std::vector<std::string> pieces = pieces_of(line + U" y" + std::u32string(9000, U'z'));
  CHECK(pieces.size() == 4);
  CHECK(pieces[0] == std::string(2000, 'x'));
  CHECK(joined(pieces) == std::string(2000, 'x') + " y" + std::string(9000, 'z'));
}

TEST_CASE("tokens: their texts are the text, and a model makes the same ones again") {
  if (!makes_tokens()) {
    CHECK_THROWS_AS(static_cast<void>(Tokens::learned(20, {"a"}, "t")), Error);
    return;
  }
  const Tokens tokens = Tokens::learned(24, {some_words}, "t");
  CHECK(tokens.texts().size() == 24);
  std::vector<std::uint16_t> symbols, again;
  tokens.cut(some_words, "t", symbols);
  std::string text;
  for (const std::uint16_t symbol : symbols) text += tokens.texts()[symbol];
  CHECK(text == some_words);
  CHECK(symbols.size() < some_words.size());
  Tokens::of_model(tokens.model(), "t").cut(some_words, "t", again);
  CHECK(again == symbols);
  CHECK(Tokens::learned(24, {some_words}, "t").model() == tokens.model());
  CHECK_THROWS_AS(tokens.cut("whale #", "t", again), Error);
}

TEST_CASE("tokens: tabs, rows of spaces and characters of several bytes come back") {
  if (!makes_tokens()) return;
  const std::string text = "a\tb  \u00e9t\u00e9\t\u20ac \n\n\t\U0001f600a \u00e9\n";
  const Tokens tokens =
      Tokens::learned(12, {"a\tb  \u00e9t\u00e9\t\u20ac \n", "\n", "\t\U0001f600a \u00e9\n"}, "t");
  std::vector<std::uint16_t> symbols;
  tokens.cut(text, "t", symbols);
  std::string back;
  for (const std::uint16_t symbol : symbols) back += tokens.texts()[symbol];
  CHECK(back == text);
  CHECK(TokenPieces::takes(U'\u2580'));
  for (const char32_t code : {U'\0', U'\u2581', U'\u2585'}) CHECK_FALSE(TokenPieces::takes(code));
}

TEST_CASE("tokens: too many or too few for a text are refused, and so is what is no model") {
  if (!makes_tokens()) return;
  for (const std::int64_t count : {2, 5000})
    CHECK_THROWS_AS(static_cast<void>(Tokens::learned(count, {some_words}, "t")), Error);
  CHECK_THROWS_AS(static_cast<void>(Tokens::of_model("no model", "t")), Error);
}

TEST_CASE("tokens: models that SentencePiece follows out of their tables are refused") {
  if (!makes_tokens()) return;
  const std::string model = Tokens::learned(24, {some_words}, "t").model();
  const std::string no_text("\x0a\x02\x0a\x00", 4), unigrams = "\x12\x02\x18\x01";
  const std::string table = "\x1a\x06\x12\x04maps", other_way = "\x2a\x06\x12\x04maps";
  for (const std::string& more :
       {no_text, unigrams, no_text + unigrams, table, other_way, std::string("\x0a")})
    CHECK_THROWS_AS(static_cast<void>(Tokens::of_model(model + more, "t")), Error);
  const std::string blank_in_front = "\x1a\x02\x18\x01";
  const Tokens tokens = Tokens::of_model(model + blank_in_front, "t");
  std::vector<std::uint16_t> symbols;
  CHECK_THROWS_AS(tokens.cut(some_words, "t", symbols), Error);
}

}  // namespace logpx::tokens_test
