// Kinds whose blocks are coded with their bytes in another order, or other bytes in their place.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

[[nodiscard]] bool is_ordered(const Form& form);
void order_block(std::span<std::uint8_t> block, const Form& form);
void restore_block(std::span<std::uint8_t> block, const Form& form);

}  // namespace logpx::codec::adaptive
