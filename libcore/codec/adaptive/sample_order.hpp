// Samples as they are coded: the highest byte of each first, and their signs turned over, so that
// they count from 0 and the least comes first.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

// Both leave what stands before the first sample, and a last one that is cut short.
void order_samples(std::span<std::uint8_t> block, const SampleForm& form);
void restore_samples(std::span<std::uint8_t> block, const SampleForm& form);

// The form of what is left of a block without its first bytes.
[[nodiscard]] SampleForm samples_from(std::size_t begin, const SampleForm& form);

}  // namespace logpx::codec::adaptive
