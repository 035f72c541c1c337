// Whole numbers of two or three bytes that nobody has announced: they show as small differences to
// what came a few numbers before.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// At most `most` ways to read a part of a block that begins `begin` bytes after the block, the
// likeliest first.
[[nodiscard]] std::vector<SampleForm> likely_samples(std::span<const std::uint8_t> part,
                                                     std::size_t begin, std::size_t most);

}  // namespace logpx::codec::adaptive
