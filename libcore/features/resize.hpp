// Pictures resized as by TensorFlow 1 without aligned corners, which published FIDs use: output
// pixel i is taken at i * in / out, interpolated between two neighbours along each axis.
//
//   resize_bilinear(small, {.planes = 3, .height = 32, .width = 32}, 299, large);
#pragma once

#include <cstdint>
#include <span>

namespace logpx {

struct Planes {
  std::int64_t planes = 0, height = 0, width = 0;
};
// from [planes, height, width] to [planes, side, side].
void resize_bilinear(std::span<const float> from, const Planes& size, std::int64_t side,
                     std::span<float> to);

}  // namespace logpx
