// The axes that the data of a panel need, with their ticks.
#pragma once

#include "formats/draw/chart.hpp"
#include "formats/draw/ticks.hpp"

namespace logpx::draw {

// A log axis shows what is positive, no axis what is not finite.
[[nodiscard]] bool drawable(const Axis& axis, double value);

// Along the bottom, and up the side of a panel of curves; `pixels` is how long they are. There must
// be something to draw.
[[nodiscard]] TickedAxis axis_across(const Panel& panel, int pixels);
[[nodiscard]] TickedAxis axis_up(const Panel& panel, int pixels);

// How wide a letter in the texts of a chart is, as far as one can say without its font.
inline constexpr int letter_width = 8;

}  // namespace logpx::draw
