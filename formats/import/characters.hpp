// Text as characters: UTF-8 decoded piece by piece, and the text8 normalisation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace logpx {

// The character for bytes that are not UTF-8.
inline constexpr char32_t not_utf8 = 0xffffffff;

struct Character {
  char32_t code = 0;
  std::uint8_t first_byte = 0;
  std::uint64_t offset = 0, line = 1;  // of its first byte
};

class Utf8Decoder {
 public:
  // Calls visit(Character) for every character that is whole; a cut one waits for the next piece.
  template <typename Visit>
  void decode(std::span<const std::byte> piece, Visit visit) {
    for (const std::byte byte : piece) {
      const auto b = std::to_integer<std::uint8_t>(byte);
      if (wanted_ == 0 && b < 0x80) {
        visit(Character{b, b, offset_, line_});
        ++offset_;
        if (b == '\n') ++line_;
        continue;
      }
      step(b, visit);
    }
  }
  // A character cut by the end of the text.
  template <typename Visit>
  void finish(Visit visit) {
    if (wanted_ > 0) give_up(visit);
  }

 private:
  template <typename Visit>
  void give_up(Visit& visit) {
    visit(Character{not_utf8, first_, start_, line_});
    wanted_ = 0;
  }

  template <typename Visit>
  void step(std::uint8_t b, Visit& visit) {
    if (wanted_ > 0 && (b & 0xc0) != 0x80) {
      give_up(visit);
      return decode(std::array{static_cast<std::byte>(b)}, visit);
    }
    ++offset_;
    if (wanted_ == 0) {
      start_ = offset_ - 1;
      first_ = b;
      wanted_ = b >= 0xc2 && b < 0xe0   ? 1
                : b >= 0xe0 && b < 0xf0 ? 2
                : b >= 0xf0 && b < 0xf5 ? 3
                                        : 0;
      least_ = wanted_ == 1 ? 0x80 : wanted_ == 2 ? 0x800 : 0x10000;
      code_ = b & (0x3fu >> wanted_);
      if (wanted_ == 0) give_up(visit);
      return;
    }
    code_ = code_ << 6 | (b & 0x3fu);
    if (--wanted_ > 0) return;
    const bool legal = code_ >= least_ && code_ <= 0x10ffff && (code_ < 0xd800 || code_ > 0xdfff);
    visit(Character{legal ? code_ : not_utf8, first_, start_, line_});
  }

  std::uint64_t offset_ = 0, line_ = 1, start_ = 0;
  std::uint8_t first_ = 0;
  int wanted_ = 0;  // continuation bytes still missing
  char32_t code_ = 0, least_ = 0;
};

// a-z and single spaces out of anything: NFKD for Latin letters and the usual punctuation,
// combining marks dropped, lower case, digits spelled out, every other run one space. Spaces at
// both ends are stripped; texts are joined by one space.
class Text8Normalizer {
 public:
  // Appends what the character adds to `out`.
  void put(char32_t code, std::string& out);
  void begin_text() { space_ = true; }

 private:
  void put_plain(char c, std::string& out);
  bool started_ = false, space_ = false;
};

// NFKD of U+00A0..U+017F and a few further characters, as ASCII; empty when it has none.
[[nodiscard]] std::string_view ascii_decomposition(char32_t code);

}  // namespace logpx
