// The kind of archive that a file is, by its first bytes.
#include "formats/import/container.hpp"

#include <array>

namespace logpx {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t tar_block = 512, tar_sum_at = 148, tar_sum_width = 8;

// The first tars had no magic, but every header holds the sum of its bytes, in octal, itself
// counted as blanks.
bool is_tar(std::span<const std::byte> first) {
  if (first.size() < tar_block) return false;
  unsigned sum = 0, stored = 0;
  bool digits = false;
  for (std::size_t i = 0; i < tar_block; ++i) {
    const bool in_sum = i >= tar_sum_at && i < tar_sum_at + tar_sum_width;
    const auto value = std::to_integer<unsigned>(first[i]);
    sum += in_sum ? ' ' : value;
    if (!in_sum || value == ' ' || value == 0) continue;
    if (value < '0' || value > '7') return false;
    stored = stored * 8 + (value - '0');
    digits = true;
  }
  return digits && sum == stored;
}

// Seven bits a byte, least first; `at` moves past the number.
std::uint64_t xz_number(std::span<const std::byte> bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; at < bytes.size() && shift < 63; shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(bytes[at++]);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

}  // namespace

std::uint64_t xz_dictionary(std::span<const std::byte> first) {
  constexpr std::size_t block_flags = 13;
  constexpr std::uint64_t lzma2 = 0x21;
  if (first.size() <= block_flags) return 0;
  const auto flags = std::to_integer<unsigned>(first[block_flags]);
  std::size_t at = block_flags + 1;
  for (const unsigned has_size : {0x40u, 0x80u})
    if ((flags & has_size) != 0) (void)xz_number(first, at);
  for (unsigned filter = 0; filter <= (flags & 3); ++filter) {
    const std::uint64_t kind = xz_number(first, at), properties = xz_number(first, at);
    if (at >= first.size() || properties > first.size() - at) return 0;
    const auto code = std::to_integer<unsigned>(first[at]) & 63;
    if (kind == lzma2) return std::uint64_t{2 | (code & 1)} << (code / 2 + 11);
    at += static_cast<std::size_t>(properties);
  }
  return 0;
}

Packing packing_of(std::span<const std::byte> first) {
  struct Magic {
    std::string_view bytes;
    Packing packing;
  };
  static constexpr std::array magics = {
      Magic{"PK\3\4"sv, Packing::zip},
      Magic{"PK\5\6"sv, Packing::zip},  // with no file in it
      Magic{"\xfd\x37zXZ\0"sv, Packing::xz},
      Magic{"\x28\xb5\x2f\xfd"sv, Packing::zstd},
  };
  for (const Magic& magic : magics)
    if (begins_with(first, magic.bytes)) return magic.packing;
  const bool block = first.size() >= 10 && begins_with(first.subspan(4), "1AY&SY");
  if (begins_with(first, "BZh") && block) return Packing::bzip2;
  return is_tar(first) ? Packing::tar : Packing::none;
}

}  // namespace logpx
