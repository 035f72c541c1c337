// What `auto` of a knob of coding settles on: sizes of a scheme, tried on a few items.
#pragma once

#include "libcore/codec/scheme.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace logpx {

// Bits of the first 16 items of a sample on a message that owes nothing: what later items cost.
[[nodiscard]] double steady_bits(const codec::Scheme& scheme, std::span<const std::uint8_t> sample);

using SchemeOfSize = std::function<std::unique_ptr<codec::Scheme>(std::int64_t size)>;

// The smallest of rising sizes whose steady bits are within 0.1 % of the fewest. Sizes that a model
// has no room for, which is a usage error, end the list; the first is not among them.
[[nodiscard]] std::int64_t settled_size(std::span<const std::int64_t> sizes,
                                        std::span<const std::uint8_t> sample,
                                        const SchemeOfSize& scheme_of);

}  // namespace logpx
