#include "libcore/codec/adaptive/likely_code.hpp"

#include "libcore/codec/adaptive/x86_walk.hpp"

namespace logpx::codec::adaptive {
namespace {

constexpr std::size_t bytes_of_one = 128;  // at most, for each such instruction

// Addresses within 2^24 bytes.
bool may_be_x86(std::span<const std::uint8_t> part) {
  X86Walk walk;
  std::size_t near = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (walk.address_comes() && i + 4 <= part.size())
      near += part[i + 3] == 0 || part[i + 3] == 255;
    walk.next_byte(part[i]);
  }
  return near * bytes_of_one >= part.size();
}

// BL and ADRP within 2^24 bytes.
bool may_be_arm(std::span<const std::uint8_t> part) {
  std::size_t near = 0;
  for (std::size_t i = 0; i + 4 <= part.size(); i += 4) {
    const unsigned highest = part[i + 3], next = part[i + 2];
    const bool links = (highest == 0x94 && next < 0x40) || (highest == 0x97 && next >= 0xc0),
               takes_page = (highest & 0x9f) == 0x90 && (next == 0 || next == 0xff);
    near += links || takes_page;
  }
  return near * bytes_of_one >= part.size();
}

}  // namespace

std::vector<Kind> likely_code(std::span<const std::uint8_t> part, std::size_t begin) {
  std::vector<Kind> kinds;
  if (may_be_x86(part)) kinds.push_back(Kind::x86_code);
  if (const std::size_t cut = (4 - begin % 4) % 4;
      cut < part.size() && may_be_arm(part.subspan(cut)))
    kinds.push_back(Kind::arm_code);
  return kinds;
}

}  // namespace logpx::codec::adaptive
