#include "tools/archives/symbol_map.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/rans.hpp"

#include <algorithm>
#include <cstddef>

namespace logpx::compress {

std::vector<std::uint8_t> values_of(archive::ByteView bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {first, first + bytes.size()};
}

archive::ByteVector bytes_of_values(std::span<const std::uint8_t> values) {
  const archive::ByteView view = std::as_bytes(values);
  return {view.begin(), view.end()};
}

// Text as symbols; samples are symbols already.
std::vector<std::uint8_t> SymbolMap::symbols_of(archive::ByteView bytes) const {
  std::vector<std::uint8_t> symbols = values_of(bytes);
  if (!alphabet_.empty())
    for (std::uint8_t& symbol : symbols) {
      const std::size_t at = alphabet_.find(static_cast<char>(symbol));
      if (at == std::string::npos)
        fail(ErrorKind::data, "", "holds a symbol that is not in the model's alphabet");
      symbol = static_cast<std::uint8_t>(at);
    }
  const auto strange = std::ranges::find_if(symbols, [&](std::uint8_t v) { return v >= levels_; });
  if (strange != symbols.end())
    fail(ErrorKind::data, "",
         "holds a sample of " + std::to_string(*strange) + ", the model knows 0 to " +
             std::to_string(levels_ - 1),
         "--fallback-only or --store codes it without the model");
  return symbols;
}

archive::ByteVector SymbolMap::bytes_of(std::span<const std::uint8_t> symbols) const {
  archive::ByteVector bytes = bytes_of_values(symbols);
  if (alphabet_.empty()) return bytes;
  for (std::byte& byte : bytes) {
    const auto symbol = std::to_integer<std::size_t>(byte);
    if (symbol >= alphabet_.size()) codec::corrupt("a symbol outside the alphabet");
    byte = static_cast<std::byte>(alphabet_[symbol]);
  }
  return bytes;
}

}  // namespace logpx::compress
