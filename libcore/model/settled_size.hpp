// What `auto` of a knob of coding settles on: sizes of a scheme, tried on a few items.
// [spec/coding.md section 3, item 7]
#pragma once

#include "libcore/codec/scheme.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace logpx {

using SchemeOfSize = std::function<std::unique_ptr<codec::Scheme>(std::int64_t size)>;

// The smallest of rising sizes that codes the first 16 items of the sample within 0.1 % of the
// shortest, where the initial bits of a message are not counted. Sizes that a model has no room
// for, which is a usage error, end the list; the first is not among them.
[[nodiscard]] std::int64_t settled_size(std::span<const std::int64_t> sizes,
                                        std::span<const std::uint8_t> sample,
                                        const SchemeOfSize& scheme_of);

}  // namespace logpx
