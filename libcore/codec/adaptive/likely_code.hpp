// Programs that nobody has announced show as instructions that lead to near places.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// The kinds of programs that a part of a block, which begins `begin` bytes after the block, may be.
[[nodiscard]] std::vector<Kind> likely_code(std::span<const std::uint8_t> part, std::size_t begin);

}  // namespace logpx::codec::adaptive
