#include "formats/archive/wire.hpp"

#include "libcore/base/error.hpp"

#include <zlib.h>

namespace logpx::archive {

std::uint32_t crc32_of(ByteView bytes, std::uint32_t before) {
  // A null pointer would ask zlib for its starting value instead.
  if (bytes.empty()) return before;
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string hex_of(ByteView bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) >> 4];
    text += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

ByteVector bytes_of_hex(std::string_view hex) {
  const auto digit = [](char c) {
    LOGPX_ASSERT((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  ByteVector bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  return bytes;
}

ByteView WireReader::raw(std::size_t size) {
  if (size > left_.size()) fail(ErrorKind::data, what_, "ends early");
  const ByteView part = left_.first(size);
  left_ = left_.subspan(size);
  return part;
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint64_t digit = u8();
    if (shift == 63 && digit > 1) break;
    value |= (digit & 127) << shift;
    if (digit < 128) return value;
  }
  fail(ErrorKind::data, what_, "has a number of over 64 bits");
}

std::string WireReader::text(std::size_t size) {
  const ByteView part = raw(size);
  return {reinterpret_cast<const char*>(part.data()), part.size()};
}

std::uint64_t WireReader::number(std::size_t size) {
  const ByteView part = raw(size);
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(part[i]);
  return value;
}

void WireReader::expect_end() const {
  if (!left_.empty())
    fail(ErrorKind::data, what_, "has " + std::to_string(left_.size()) + " bytes too many");
}

}  // namespace logpx::archive
