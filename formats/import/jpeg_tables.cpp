// Walks over the markers of a JPEG as stb_image does, to check what that decoder does not check.
#include "formats/import/raster.hpp"
#include "libcore/base/error.hpp"

#include <cstddef>

namespace logpx {
namespace {

constexpr unsigned start_of_image = 0xd8, huffman_tables = 0xc4, first_alone = 0xd0,
                   last_alone = 0xd8, end_of_image = 0xd9;
constexpr std::size_t most_codes = 256, code_lengths = 16;

// Past the end there are zeros, as for the decoder.
unsigned byte_at(std::span<const std::byte> bytes, std::size_t i) {
  return i < bytes.size() ? std::to_integer<unsigned>(bytes[i]) : 0;
}

// Each table: a byte of class and number, how many codes have 1 .. 16 bits, and as many symbols.
// The decoder reads a whole table wherever the segment of `length` bytes ends.
bool tables_fit(std::span<const std::byte> bytes, std::size_t at, std::size_t length) {
  const std::size_t end = at + length;
  while (at < end && at < bytes.size()) {
    std::size_t codes = 0;
    for (std::size_t i = 1; i <= code_lengths; ++i) codes += byte_at(bytes, at + i);
    if (codes > most_codes) return false;
    at += 1 + code_lengths + codes;
  }
  return true;
}

}  // namespace

void check_jpeg_tables(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() < 2 || byte_at(bytes, 0) != 0xff || byte_at(bytes, 1) != start_of_image) return;
  std::size_t at = 2;
  while (at + 1 < bytes.size()) {
    // Between segments and in coded data: on to the next 0xff before anything but 0 or 0xff.
    if (byte_at(bytes, at) != 0xff || byte_at(bytes, at + 1) == 0xff ||
        byte_at(bytes, at + 1) == 0) {
      ++at;
      continue;
    }
    const unsigned marker = byte_at(bytes, at + 1);
    at += 2;
    if (marker == end_of_image) return;
    if (marker >= first_alone && marker <= last_alone) continue;
    const std::size_t length = byte_at(bytes, at) << 8 | byte_at(bytes, at + 1);
    if (length < 2) return;  // refused by the decoder
    if (marker == huffman_tables && !tables_fit(bytes, at + 2, length - 2))
      fail(ErrorKind::data, name, "picture is damaged (a Huffman table of over 256 codes)",
           "--skip-bad");
    at += length;
  }
}

}  // namespace logpx
