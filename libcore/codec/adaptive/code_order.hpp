// Programs as they are coded: addresses that count from their instruction count from the beginning
// of the block instead, so that one place has one address, and come with their highest byte first.
#pragma once

#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

// x86-64: targets of calls and jumps of four bytes, and addresses of data.
void order_x86(std::span<std::uint8_t> block);
void restore_x86(std::span<std::uint8_t> block);

// AArch64: whole instructions with their highest byte first; targets of BL and pages of ADRP.
void order_arm(std::span<std::uint8_t> block);
void restore_arm(std::span<std::uint8_t> block);

}  // namespace logpx::codec::adaptive
