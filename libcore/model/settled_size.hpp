// What `auto` of a coding knob settles on: sizes of a scheme are tried on a few items.
#pragma once

#include "libcore/codec/scheme.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace logpx {

// Bits of the first 16 items of a sample on a message with bits to spare: what later items cost.
[[nodiscard]] double steady_bits(const codec::Scheme& scheme, std::span<const std::uint8_t> sample);

using SchemeOfSize = std::function<std::unique_ptr<codec::Scheme>(std::int64_t size)>;

// The smallest of rising sizes whose steady bits are within 0.1 % of the fewest. The first size
// that is too large for the model (a usage error) ends the list; sizes[0] itself must fit.
[[nodiscard]] std::int64_t settled_size(std::span<const std::int64_t> sizes,
                                        std::span<const std::uint8_t> sample,
                                        const SchemeOfSize& scheme_of);

}  // namespace logpx
