#include "formats/draw/unicode.hpp"

namespace logpx::draw {

std::u32string letters_of(std::string_view text) {
  std::u32string letters;
  for (const char raw : text) {
    const auto byte = static_cast<unsigned char>(raw);
    if ((byte & 0xc0u) == 0x80u) {
      if (!letters.empty()) letters.back() = (letters.back() << 6) | (byte & 0x3fu);
      continue;
    }
    const unsigned own = byte < 0x80 ? 0x7fu : byte < 0xe0 ? 0x1fu : byte < 0xf0 ? 0x0fu : 0x07u;
    letters += static_cast<char32_t>(byte & own);
  }
  return letters;
}

std::string utf8_of(char32_t letter) {
  const auto follower = [letter](unsigned shift) {
    return static_cast<char>(0x80u | ((letter >> shift) & 0x3fu));
  };
  const auto lead = [letter](unsigned mark, unsigned shift) {
    return static_cast<char>(mark | (letter >> shift));
  };
  if (letter < 0x80) return {lead(0, 0)};
  if (letter < 0x800) return {lead(0xc0, 6), follower(0)};
  if (letter < 0x10000) return {lead(0xe0, 12), follower(6), follower(0)};
  return {lead(0xf0, 18), follower(12), follower(6), follower(0)};
}

}  // namespace logpx::draw
