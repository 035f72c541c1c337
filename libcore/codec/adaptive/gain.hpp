// Whether it is worth while to code a block at all. Noise, and what is compressed already, should
// not take a second a megabyte to come out as long as it went in.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

// True where nothing of a large block promises a thousandth of it: its bytes are all as frequent as
// one another in each part, none of what is long enough stands there twice, and the model, which is
// asked for some parts, makes them no shorter.
[[nodiscard]] bool gains_nothing(std::span<const std::uint8_t> data, const Form& form);

}  // namespace logpx::codec::adaptive
