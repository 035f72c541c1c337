// What kind of archive a file is, by its first bytes.
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

}  // namespace

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
