#include "libcore/base/shell_word.hpp"

namespace logpx {

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + '\'';
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && text.front() != '~' &&
                     text.find_first_of(" \t\n\"'\\$`!&;|<>()[]{}*?#") == std::string::npos;
  return plain ? text : shell_quoted(text);
}

}  // namespace logpx
