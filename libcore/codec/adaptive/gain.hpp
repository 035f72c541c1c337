// Whether it is worth while to code a block at all. Noise, and what is compressed already, should
// not take a second a megabyte to come out as long as it went in.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

// True where a large block promises to save less than a thousandth of it: in each part all bytes
// are about equally frequent, no long run comes twice, and the model shortens no part that it is
// tried on.
[[nodiscard]] bool gains_nothing(std::span<const std::uint8_t> data, const Form& form);

}  // namespace logpx::codec::adaptive
