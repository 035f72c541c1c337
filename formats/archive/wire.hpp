// Writes and reads little-endian fields of a record; CRC-32 as in zlib and PNG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx::archive {

using ByteView = std::span<const std::byte>;
using ByteVector = std::vector<std::byte>;

inline ByteView bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

[[nodiscard]] std::uint32_t crc32_of(ByteView bytes, std::uint32_t before = 0);

// 32 bytes as 64 hexadecimal digits, and back; the text must be such digits.
[[nodiscard]] std::string hex_of(ByteView bytes);
[[nodiscard]] ByteVector bytes_of_hex(std::string_view hex);

// Differences modulo 2^64 as numbers that are small for small differences of either sign.
inline std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}
inline std::uint64_t unzigzag(std::uint64_t code) { return code >> 1 ^ (0 - (code & 1)); }

class WireWriter {
 public:
  WireWriter& u8(std::uint8_t value) { return put(value, 1); }
  WireWriter& u16(std::uint16_t value) { return put(value, 2); }
  WireWriter& u32(std::uint32_t value) { return put(value, 4); }
  WireWriter& u64(std::uint64_t value) { return put(value, 8); }
  WireWriter& i64(std::int64_t value) { return put(static_cast<std::uint64_t>(value), 8); }
  // Seven bits a byte, the lowest first; all but the last have their highest bit set.
  WireWriter& varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) u8(static_cast<std::uint8_t>(value | 128));
    return u8(static_cast<std::uint8_t>(value));
  }
  WireWriter& raw(ByteView bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  WireWriter& text(std::string_view text) { return raw(bytes_of(text)); }

  [[nodiscard]] const ByteVector& bytes() const { return bytes_; }

 private:
  WireWriter& put(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  ByteVector bytes_;
};

// Every read is checked: a data error names `what`, the record that ends early.
class WireReader {
 public:
  WireReader(ByteView bytes, std::string what) : left_(bytes), what_(std::move(what)) {}

  [[nodiscard]] std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  [[nodiscard]] std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  [[nodiscard]] std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  [[nodiscard]] std::uint64_t u64() { return number(8); }
  [[nodiscard]] std::int64_t i64() { return static_cast<std::int64_t>(number(8)); }
  [[nodiscard]] std::uint64_t varint();
  [[nodiscard]] ByteView raw(std::size_t size);
  [[nodiscard]] std::string text(std::size_t size);

  [[nodiscard]] ByteView rest() const { return left_; }
  void expect_end() const;  // a data error when something is left

 private:
  [[nodiscard]] std::uint64_t number(std::size_t size);
  ByteView left_;
  std::string what_;
};

}  // namespace logpx::archive
