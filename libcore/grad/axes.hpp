// A tensor seen around one axis (or a stretch of axes): [outer, n, inner].
#pragma once

#include "libcore/grad/shape_rule.hpp"
#include "libcore/math/tensor.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace logpx {

struct AxisLoops {
  std::int64_t outer = 1, n = 1, inner = 1;
};

// Axes [first, last) taken together.
[[nodiscard]] inline AxisLoops around_axes(const Shape& shape, int first, int last) {
  AxisLoops loops;
  for (int axis = 0; axis < shape.rank(); ++axis)
    (axis < first ? loops.outer : axis < last ? loops.n : loops.inner) *= shape[axis];
  return loops;
}
[[nodiscard]] inline AxisLoops around_axis(const Shape& shape, int axis) {
  return around_axes(shape, axis, axis + 1);
}

// Negative axes count from the end.
[[nodiscard]] inline int resolved_axis(const Shape& shape, int axis) {
  const int from_left = axis < 0 ? axis + shape.rank() : axis;
  expect_fit(0 <= from_left && from_left < shape.rank(), std::span(&shape, 1),
             "has no axis " + std::to_string(axis));
  return from_left;
}

// The shape without axes [first, last).
[[nodiscard]] inline Shape without_axes(const Shape& shape, int first, int last) {
  std::array<std::int64_t, Shape::max_rank> sizes{};
  std::size_t rank = 0;
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (axis < first || axis >= last) sizes[rank++] = shape[axis];
  return Shape(std::span<const std::int64_t>(sizes).first(rank));
}

}  // namespace logpx
