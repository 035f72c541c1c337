// The bytes of a file as a model's symbols, and back.
#pragma once

#include "formats/archive/wire.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx::compress {

[[nodiscard]] std::vector<std::uint8_t> values_of(archive::ByteView bytes);
[[nodiscard]] archive::ByteVector bytes_of_values(std::span<const std::uint8_t> values);

// By an alphabet, or as they are.
class SymbolMap {
 public:
  SymbolMap(std::string alphabet, std::int64_t levels)
      : alphabet_(std::move(alphabet)), levels_(levels) {}
  // A data error for what the model does not know.
  [[nodiscard]] std::vector<std::uint8_t> symbols_of(archive::ByteView bytes) const;
  [[nodiscard]] archive::ByteVector bytes_of(std::span<const std::uint8_t> symbols) const;
  [[nodiscard]] const std::string& alphabet() const { return alphabet_; }

 private:
  std::string alphabet_;
  std::int64_t levels_;
};

}  // namespace logpx::compress
