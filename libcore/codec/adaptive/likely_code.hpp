// Programs that nobody has announced show as instructions that lead to near places.
#pragma once

#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

[[nodiscard]] bool may_be_x86(std::span<const std::uint8_t> part);

}  // namespace logpx::codec::adaptive
