// What a fuzz target reads its choices from, and numbers where readers are likely to err.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace logpx::testing {

// Bytes in order, zeros after the end.
class FuzzBytes {
 public:
  FuzzBytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  [[nodiscard]] bool empty() const { return left_ == 0; }
  std::uint8_t next() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::size_t below(std::size_t count) {
    const std::size_t high = next();
    return count == 0 ? 0 : (high << 8 | next()) % count;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

// Changes one word of a JSON text, a number or what stands in quotes, to another one of the text,
// to its neighbour in the list, or to nothing.
inline void change_word(std::string& text, FuzzBytes& input) {
  static constexpr std::array<std::string_view, 20> words = {
      "0",      "-1",      "1",   "2",    "3",  "17", "65536", "2147483648", "9223372036854775807",
      "-1e308", "1e-30",   "0.5", "\"\"", "[]", "{}", "null",  "true",       "false",
      "1e9",    "\"auto\""};
  static constexpr std::string_view ends = "{}[]:,\" \n";
  const auto word_at = [&](std::size_t place) {
    std::size_t begin = place, end = place;
    while (begin > 0 && ends.find(text[begin - 1]) == std::string_view::npos) --begin;
    while (end < text.size() && ends.find(text[end]) == std::string_view::npos) ++end;
    return std::pair(begin, end - begin);
  };
  const auto [begin, size] = word_at(input.below(text.size()));
  const std::size_t choice = input.below(words.size() + 6);
  if (choice < words.size()) {
    const bool quoted = begin > 0 && text[begin - 1] == '"';
    text.replace(begin - (quoted ? 1 : 0), size + (quoted ? 2 : 0), words[choice]);
  } else {
    const auto [other, length] = word_at(input.below(text.size()));
    text.replace(begin, size, choice == words.size() ? "" : text.substr(other, length));
  }
}

}  // namespace logpx::testing
