#include "libcore/base/shown_name.hpp"

#include <cstdint>

namespace logpx {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;  // else a byte that begins no character
};

Character character_at(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const std::size_t count = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < count) return {byte(0), 1, false};
  std::uint32_t code = byte(0) & (0x7fu >> count);
  for (std::size_t i = 1; i < count; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {byte(0), 1, false};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t least[] = {0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least[count - 2] || code > 0x10ffff || surrogate) return {byte(0), 1, false};
  return {code, count, true};
}

bool is_unseen(std::uint32_t code) {
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  return code < 0x20 || within(0x7f, 0x9f) || code == 0x61c || within(0x200e, 0x200f) ||
         within(0x2028, 0x202e) || within(0x2066, 0x2069) || code == 0xfeff;
}

}  // namespace

std::string shown_name(std::string_view name) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  while (!name.empty()) {
    const Character next = character_at(name);
    if (next.valid && !is_unseen(next.code)) {
      text += name.substr(0, next.bytes);
    } else {
      const bool wide = next.valid && next.code >= 0x80;
      text += wide ? "\\u" : "\\x";
      for (int shift = wide ? 12 : 4; shift >= 0; shift -= 4)
        text += digits[next.code >> shift & 15];
    }
    name.remove_prefix(next.bytes);
  }
  return text;
}

bool holds_unseen(std::string_view name) {
  while (!name.empty()) {
    const Character next = character_at(name);
    if (next.valid && is_unseen(next.code)) return true;
    name.remove_prefix(next.bytes);
  }
  return false;
}

}  // namespace logpx
