#include "tests/support/golden_message.hpp"

#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

namespace logpx::golden {

std::vector<std::uint32_t> words_of(const Json& list) {
  std::vector<std::uint32_t> words;
  for (const Json& item : list.items()) words.push_back(static_cast<std::uint32_t>(item.integer()));
  return words;
}

std::vector<double> reals_of(const Json& list) {
  std::vector<double> reals;
  for (const Json& item : list.items()) {
    if (!item.is_array()) {
      reals.push_back(real(item));
      continue;
    }
    const std::vector<double> row = reals_of(item);
    reals.insert(reals.end(), row.begin(), row.end());
  }
  return reals;
}

std::vector<std::uint8_t> bytes_of(const Json& list) {
  std::vector<std::uint8_t> bytes;
  for (const Json& item : list.items()) bytes.push_back(static_cast<std::uint8_t>(item.integer()));
  return bytes;
}

std::string hex_of(std::span<const std::byte> bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) >> 4];
    text += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

void check_message(const codec::Message& message, const Json& item, const std::string& state) {
  CHECK(std::to_string(message.state()) == item.at(state).string());
  CHECK(message.words() == words_of(item.at("words")));
  if (const Json* borrowed = item.find("borrowed"))
    CHECK(message.borrowed() == static_cast<std::uint32_t>(borrowed->integer()));
}

}  // namespace logpx::golden
