#include "formats/import/symbol_table.hpp"

#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <numeric>

namespace logpx {
namespace {

[[noreturn]] void fail_character(const Character& c, const std::string& file,
                                 const std::string& what, std::string hint) {
  const std::string hex = {"0123456789abcdef"[c.first_byte >> 4],
                           "0123456789abcdef"[c.first_byte & 15]};
  fail(ErrorKind::data, file + ':' + std::to_string(c.line),
       "byte 0x" + hex + " at offset " + std::to_string(c.offset) + ' ' + what, std::move(hint));
}

}  // namespace

void require_utf8(const Character& c, const std::string& file, const char* hint) {
  if (c.code == not_utf8) fail_character(c, file, "is not UTF-8", hint);
}

void CharacterSet::add(const Character& c, const std::string& file) {
  require_utf8(c, file, "--alphabet bytes");
  seen_[c.code] = true;
}

SymbolTable::SymbolTable(std::string name, std::vector<std::uint32_t> codes)
    : name_(std::move(name)), codes_(std::move(codes)) {
  symbols_.assign(*std::max_element(codes_.begin(), codes_.end()) + std::size_t{1}, -1);
  for (std::size_t i = 0; i < codes_.size(); ++i)
    symbols_[codes_[i]] = static_cast<std::int32_t>(i);
}

SymbolTable SymbolTable::text27() {
  std::vector<std::uint32_t> codes = {' '};
  for (char c = 'a'; c <= 'z'; ++c) codes.push_back(static_cast<std::uint32_t>(c));
  return {"text27", std::move(codes)};
}

SymbolTable SymbolTable::bytes() {
  std::vector<std::uint32_t> codes(256);
  std::iota(codes.begin(), codes.end(), 0u);
  return {"bytes", std::move(codes)};
}

SymbolTable SymbolTable::sorted(const CharacterSet& characters, const std::string& file) {
  std::vector<std::uint32_t> codes;
  for (std::uint32_t code = 0; code < characters.seen().size(); ++code)
    if (characters.seen()[code]) codes.push_back(code);
  if (codes.empty()) fail(ErrorKind::data, file, "no symbols to pack");
  if (codes.size() > 65536)
    fail(ErrorKind::data, file,
         std::to_string(codes.size()) + " different characters, at most 65536 allowed");
  return {"auto", std::move(codes)};
}

SymbolTable SymbolTable::listed_in(const std::string& path) {
  std::string text = read_text_file(path, std::uint64_t{1} << 20);
  if (text.ends_with('\n') && text.size() > 1) text.pop_back();
  std::vector<std::uint32_t> codes;
  CharacterSet seen;
  const auto note = [&](const Character& c) {
    if (c.code != not_utf8 && seen.seen()[c.code])
      fail_character(c, path, "is in the alphabet twice", "");
    seen.add(c, path);
    codes.push_back(c.code);
  };
  Utf8Decoder decoder;
  decoder.decode(std::as_bytes(std::span(text)), note);
  decoder.finish(note);
  if (codes.empty() || codes.size() > 65536)
    fail(ErrorKind::data, path,
         "an alphabet has 1 to 65536 characters, this one has " + std::to_string(codes.size()));
  return {path, std::move(codes)};
}

std::uint16_t SymbolTable::symbol(const Character& c, const std::string& file) const {
  const std::int32_t symbol = c.code < symbols_.size() ? symbols_[c.code] : -1;
  if (symbol < 0)
    fail_character(
        c, file, "is not in alphabet " + name_,
        name_ == "text27"
            ? "--normalize text8 makes small letters and spaces of all, or --alphabet auto "
              "keeps each character"
            : "--alphabet auto");
  return static_cast<std::uint16_t>(symbol);
}

}  // namespace logpx
