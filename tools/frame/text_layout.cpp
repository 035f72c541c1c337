#include "tools/frame/text_layout.hpp"

#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
  }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  for (const std::string& word : split_text(text, ' ')) {
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    while (width_of(lines.back()) > width) {  // a hash, a path
      std::size_t cut = width;
      while (cut > 1 && (static_cast<unsigned char>(lines.back()[cut]) & 0xc0u) == 0x80u) --cut;
      lines.push_back(lines.back().substr(cut));
      lines[lines.size() - 2].resize(cut);
    }
  }
  return lines;
}

}  // namespace logpx
