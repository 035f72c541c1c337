// Bits of a DEFLATE stream: the lowest of each byte comes first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace logpx::deflate {

class BitReader {
 public:
  BitReader(std::span<const std::byte> bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  // The next bits, at most 32; zeros follow the end.
  [[nodiscard]] std::uint32_t peek(unsigned count) const {
    const std::size_t first = at_ / 8;
    std::uint64_t word = 0;
    if (std::endian::native == std::endian::little && first + 8 <= bytes_.size())
      std::memcpy(&word, bytes_.data() + first, 8);
    else
      for (std::size_t i = 0; i < 5 && first + i < bytes_.size(); ++i)
        word |= std::to_integer<std::uint64_t>(bytes_[first + i]) << (8 * i);
    return static_cast<std::uint32_t>(word >> (at_ % 8) & ((std::uint64_t{1} << count) - 1));
  }
  void skip(unsigned count) { at_ += count; }
  [[nodiscard]] std::uint32_t take(unsigned count) {
    const std::uint32_t bits = peek(count);
    skip(count);
    return bits;
  }
  // Whether more was taken than there is.
  [[nodiscard]] bool overrun() const { return at_ > 8 * bytes_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }  // bits
  void go_to(std::size_t at) { at_ = at; }
  [[nodiscard]] unsigned to_byte() const { return static_cast<unsigned>((8 - at_ % 8) % 8); }
  // Whole bytes from here on, at a byte's beginning.
  [[nodiscard]] std::span<const std::byte> rest() const { return bytes_.subspan(at_ / 8); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_;
};

// Bytes of the stream that are complete.
class BitWriter {
 public:
  void put(std::uint32_t bits, unsigned count) {
    word_ |= std::uint64_t{bits} << count_;
    for (count_ += count; count_ >= 8; count_ -= 8, word_ >>= 8)
      bytes_.push_back(static_cast<std::byte>(word_ & 255));
  }
  [[nodiscard]] unsigned to_byte() const { return (8 - count_) % 8; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::uint64_t word_ = 0;
  unsigned count_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace logpx::deflate
