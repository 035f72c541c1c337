// A tensor seen around one axis (or a stretch of axes): [outer, n, inner].
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/tensor.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace logpx {

// How the shape rules of ops complain: "[8,64,256] x [128,128]: inner 256 vs 128".
inline void expect_fit(bool fits, std::span<const Shape> shapes, const std::string& rule) {
  if (fits) return;
  std::string text;
  for (const Shape& shape : shapes) text += (text.empty() ? "" : " x ") + shape.text();
  fail(ErrorKind::usage, "", text + ": " + rule);
}

// Sums over a row in double: eight running sums, added in a fixed order, so that the compiler may
// use vectors and the bits depend on the row alone.

// sum of term(i), i < n.
template <typename Term>
[[nodiscard]] double row_sum(std::int64_t n, Term term) {
  std::array<double, 8> lanes{};
  const std::int64_t whole = n - n % 8;
  for (std::int64_t i = 0; i < whole; i += 8)
    for (std::int64_t lane = 0; lane < 8; ++lane)
      lanes[static_cast<std::size_t>(lane)] += static_cast<double>(term(i + lane));
  for (std::int64_t i = whole; i < n; ++i)
    lanes[static_cast<std::size_t>(i - whole)] += static_cast<double>(term(i));
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

// log of a sum; the same bits on every machine where a graph must be repeatable.
[[nodiscard]] inline double log_of_sum(double sum) {
  return RepeatableFunctions::on() ? repeatable_log(sum) : std::log(sum);
}

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
