#include "formats/import/characters.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

// U+00C0..U+017F: the letter below the accents; a space where there is none (ae, eth, o-slash).
constexpr std::string_view latin_letters =
    "aaaaaa ceeeeiiii nooooo  uuuuy  aaaaaa ceeeeiiii nooooo  uuuuy y"
    "aaaaaaccccccccdd  eeeeeeeeeegggggggghh  iiiiiiiii **jjkk llllll*"
    "*  nnnnnn*  oooooo  rrrrrrsssssssstttt  uuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(latin_letters.size() == 0x180 - 0xc0);

using Decomposition = std::pair<char32_t, std::string_view>;
// Letters that become several, and the usual punctuation and signs that contain letters or digits.
constexpr std::array decompositions = {
    Decomposition{0x00aa, "a"},   Decomposition{0x00b2, "2"},   Decomposition{0x00b3, "3"},
    Decomposition{0x00b9, "1"},   Decomposition{0x00ba, "o"},   Decomposition{0x00bc, "1 4"},
    Decomposition{0x00bd, "1 2"}, Decomposition{0x00be, "3 4"}, Decomposition{0x0132, "ij"},
    Decomposition{0x0133, "ij"},  Decomposition{0x013f, "l "},  Decomposition{0x0140, "l "},
    Decomposition{0x0149, " n"},  Decomposition{0x2116, "no"},  Decomposition{0x2122, "tm"},
    Decomposition{0x2153, "1 3"}, Decomposition{0x2154, "2 3"}, Decomposition{0xfb00, "ff"},
    Decomposition{0xfb01, "fi"},  Decomposition{0xfb02, "fl"},  Decomposition{0xfb03, "ffi"},
    Decomposition{0xfb04, "ffl"}, Decomposition{0xfb05, "st"},  Decomposition{0xfb06, "st"},
};

constexpr std::array<std::string_view, 10> digit_words = {"zero", "one", "two",   "three", "four",
                                                          "five", "six", "seven", "eight", "nine"};

bool is_combining(char32_t code) { return code >= 0x300 && code <= 0x36f; }

}  // namespace

std::string_view ascii_decomposition(char32_t code) {
  const auto* const found =
      std::lower_bound(decompositions.begin(), decompositions.end(), Decomposition{code, {}});
  if (found != decompositions.end() && found->first == code) return found->second;
  if (code < 0xc0 || code > 0x17f) return {};
  const std::string_view letter = latin_letters.substr(code - 0xc0, 1);
  return letter == " " ? std::string_view() : letter;
}

void Text8Normalizer::put_plain(char c, std::string& out) {
  if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (c >= '0' && c <= '9') {
    space_ = true;
    for (const char letter : digit_words[static_cast<std::size_t>(c - '0')]) put_plain(letter, out);
    space_ = true;
    return;
  }
  if (c < 'a' || c > 'z') {
    space_ = true;
    return;
  }
  if (space_ && started_) out += ' ';
  out += c;
  started_ = true;
  space_ = false;
}

void Text8Normalizer::put(char32_t code, std::string& out) {
  if (code < 0x80) return put_plain(static_cast<char>(code), out);
  if (is_combining(code)) return;
  const std::string_view plain = ascii_decomposition(code);
  if (plain.empty()) space_ = true;
  for (const char c : plain) put_plain(c, out);
}

}  // namespace logpx
