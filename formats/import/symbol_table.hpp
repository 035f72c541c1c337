// Characters to symbols 0, 1, 2 ... of an alphabet.
#pragma once

#include "formats/import/characters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

// A data error with line, offset in `file` and this hint for bytes that are not UTF-8.
void require_utf8(const Character& c, const std::string& file, const char* hint);

// The characters of a text; bytes that are not UTF-8 are a data error.
class CharacterSet {
 public:
  void add(const Character& c, const std::string& file);
  [[nodiscard]] const std::vector<bool>& seen() const { return seen_; }

 private:
  std::vector<bool> seen_ = std::vector<bool>(0x110000);
};

class SymbolTable {
 public:
  [[nodiscard]] static SymbolTable text27();  // space, a..z
  [[nodiscard]] static SymbolTable bytes();
  // In the order of code points; `file` names the text in messages.
  [[nodiscard]] static SymbolTable sorted(const CharacterSet& characters, const std::string& file);
  // In the order in which a UTF-8 file lists them; a newline at its end does not count.
  [[nodiscard]] static SymbolTable listed_in(const std::string& path);

  [[nodiscard]] bool is_bytes() const { return name_ == "bytes"; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(codes_.size()); }
  [[nodiscard]] const std::vector<std::uint32_t>& codes() const { return codes_; }
  // A data error with line and offset in `file` when the alphabet lacks the character.
  [[nodiscard]] std::uint16_t symbol(const Character& c, const std::string& file) const;

 private:
  SymbolTable(std::string name, std::vector<std::uint32_t> codes);
  std::string name_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::int32_t> symbols_;  // by code point up to the largest; -1: none
};

}  // namespace logpx
