#include "libcore/codec/adaptive/code_order.hpp"

#include "libcore/codec/adaptive/x86_walk.hpp"

namespace logpx::codec::adaptive {
namespace {

using Word = std::span<std::uint8_t, 4>;

std::uint32_t from_highest(Word bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | bytes[3];
}
std::uint32_t from_lowest(Word bytes) {
  return std::uint32_t{bytes[3]} << 24 | std::uint32_t{bytes[2]} << 16 |
         std::uint32_t{bytes[1]} << 8 | bytes[0];
}
void put_highest(Word bytes, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}
void put_lowest(Word bytes, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

// Addresses within 2^24 bytes, which are those of nearly all programs, go round among themselves;
// others stay, and so each has one that it comes from.
std::uint32_t moved(std::uint32_t address, std::uint32_t by) {
  constexpr std::uint32_t reach = 1u << 24;
  const std::uint32_t place = address + reach;
  return place < 2 * reach ? ((place + by) & (2 * reach - 1)) - reach : address;
}

// Addresses of a block, each with where its instruction ends. The walk does not look at them.
template <typename Change>
void each_x86_address(std::span<std::uint8_t> block, const Change& change) {
  X86Walk walk;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (walk.address_comes() && i + 4 <= block.size())
      change(block.subspan(i).first<4>(), static_cast<std::uint32_t>(i + 4 + walk.behind()));
    walk.next_byte(block[i]);
  }
}

// An instruction whose target or page is so much further, in the units that it is written with.
std::uint32_t moved_arm(std::uint32_t word, std::uint32_t instructions, std::uint32_t pages) {
  constexpr std::uint32_t link = 0x94000000, link_mask = 0xfc000000, page = 0x90000000,
                          page_mask = 0x9f000000, low = 0x60000000, high = 0x00ffffe0;
  if ((word & link_mask) == link) return link | ((word + instructions) & ~link_mask);
  if ((word & page_mask) != page) return word;
  const std::uint32_t sum = ((word & high) >> 3 | (word & low) >> 29) + pages;
  return (word & ~(low | high)) | (sum << 29 & low) | (sum << 3 & high);
}

template <typename Change>
void each_arm_instruction(std::span<std::uint8_t> block, const Change& change) {
  for (std::size_t i = 0; i + 4 <= block.size(); i += 4)
    change(block.subspan(i).first<4>(), static_cast<std::uint32_t>(i / 4));
}

}  // namespace

void order_x86(std::span<std::uint8_t> block) {
  each_x86_address(block, [](Word address, std::uint32_t end) {
    put_highest(address, moved(from_lowest(address), end));
  });
}

void restore_x86(std::span<std::uint8_t> block) {
  each_x86_address(block, [](Word address, std::uint32_t end) {
    put_lowest(address, moved(from_highest(address), 0 - end));
  });
}

void order_arm(std::span<std::uint8_t> block) {
  each_arm_instruction(block, [](Word word, std::uint32_t at) {
    put_highest(word, moved_arm(from_lowest(word), at, at >> 10));
  });
}

void restore_arm(std::span<std::uint8_t> block) {
  each_arm_instruction(block, [](Word word, std::uint32_t at) {
    put_lowest(word, moved_arm(from_highest(word), 0 - at, 0 - (at >> 10)));
  });
}

}  // namespace logpx::codec::adaptive
