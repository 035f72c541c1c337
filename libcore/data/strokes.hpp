// The ten digits as pen strokes in the unit box, bent and placed at random.
#pragma once

#include "libcore/data/canvas.hpp"
#include "libcore/data/generator.hpp"

#include <array>
#include <vector>

namespace logpx {

// How one digit is drawn, in the order of the draws: what /data/latent of `digits` holds.
struct DigitPose {
  double degrees = 0;  // rotation
  double slant = 0;
  double width = 0, height = 0;     // of the box, in pixels of a 28x28 picture
  double shift_x = 0, shift_y = 0;  // pixels
  double radius = 0;                // of the pen, pixels
  double ink = 0;
  std::array<double, 8> elastic{};  // A[c][a][b], c slowest

  [[nodiscard]] static DigitPose drawn(DrawCursor& draws);
  [[nodiscard]] std::array<double, 16> values() const;
};

// The strokes of a digit in pixels of a side x side picture.
[[nodiscard]] std::vector<Segment> digit_segments(int digit, const DigitPose& pose, int side);

}  // namespace logpx
