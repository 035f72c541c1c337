// A picture as text: half blocks in 24-bit colour, two pixels per character cell, for terminals.
#pragma once

#include "formats/draw/picture.hpp"

#include <string>

namespace logpx::draw {

// A picture wider than `columns` is made smaller by averaging areas. Every line ends with a reset.
[[nodiscard]] std::string half_blocks(const Picture& picture, int columns);

// The picture with at most `width` columns, its proportions kept; as it is when it fits.
[[nodiscard]] Picture shrink_to_width(const Picture& picture, int width);

}  // namespace logpx::draw
