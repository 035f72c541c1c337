// The bytes of an archive, taken in pieces, each of which must be complete.
#pragma once

#include "formats/archive/records.hpp"

#include <cstdint>
#include <string>

namespace logpx::archive {

// A data error at `place`.
[[noreturn]] void damaged(const std::string& place, const std::string& reason,
                          const std::string& hint = {});

class RecordSource {
 public:
  explicit RecordSource(ByteSupply supply) : supply_(std::move(supply)) {}

  // As much as there is; less than asked only at the end.
  [[nodiscard]] std::size_t fill(std::span<std::byte> out);
  // All of it, or a data error naming `what`. Memory grows with the bytes that are really there.
  [[nodiscard]] ByteVector take(std::uint64_t size, const std::string& what);
  // The same without keeping it; gives the checksum of what was passed, begun with `before`.
  [[nodiscard]] std::uint32_t pass(std::uint64_t size, const std::string& what,
                                   std::uint32_t before = 0);
  [[nodiscard]] std::uint64_t offset() const { return offset_; }  // bytes read so far

 private:
  ByteSupply supply_;
  std::uint64_t offset_ = 0;
};

}  // namespace logpx::archive
