// Points of the plane as a picture: a square box with axes, equal scales, and ink that darkens with
// the density of the points, so that ten points and a million both show their shape.
#pragma once

#include "formats/draw/picture.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace logpx::draw {

struct ScatterOptions {
  int size = 720;  // pixels across and down
  std::array<std::string, 2> axes = {"x0", "x1"};
  std::span<const std::int32_t> classes{};  // colours the points; empty: one colour
};

// points [N, 2]; those with a coordinate that is not finite are left out. It is a data error when
// none is left.
[[nodiscard]] Picture scatter(std::span<const float> points, const ScatterOptions& options);

}  // namespace logpx::draw
