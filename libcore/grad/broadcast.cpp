#include "libcore/grad/broadcast.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

// Size along an axis of the result, counted from the left.
std::int64_t aligned_size(const Shape& operand, int rank, int axis) {
  const int own = axis - (rank - operand.rank());
  return own < 0 ? 1 : operand[own];
}

}  // namespace

Shape broadcast_shape(std::span<const Shape> operands) {
  const Shape* widest = &operands[0];
  for (const Shape& operand : operands)
    if (operand.rank() > widest->rank()) widest = &operand;
  Shape result = *widest;
  for (const Shape& operand : operands)
    for (int axis = 0; axis < result.rank(); ++axis) {
      const std::int64_t size = aligned_size(operand, result.rank(), axis);
      if (result[axis] == 1) result[axis] = size;
      if (size == result[axis] || size == 1) continue;
      std::string shapes;
      for (const Shape& each : operands)
        shapes += (shapes.empty() ? "" : " against ") + each.text();
      fail(ErrorKind::usage, "",
           shapes + ": " + std::to_string(result[axis]) + " vs " + std::to_string(size));
    }
  return result;
}

BroadcastLoops broadcast_loops(std::span<const Shape> operands, const Shape& result) {
  BroadcastLoops loops;
  BroadcastLoops::Offsets full{};  // elements of each operand right of the axis
  full.fill(1);
  // From the last axis to the first; reversed below.
  for (int axis = result.rank(); axis-- > 0;) {
    if (result[axis] == 1) continue;
    BroadcastLoops::Offsets stride{};
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const std::int64_t size = aligned_size(operands[k], result.rank(), axis);
      stride[k] = size == 1 ? 0 : full[k];
      full[k] *= size;
    }
    const auto top = static_cast<std::size_t>(loops.rank);
    bool merge = loops.rank > 0;
    for (std::size_t k = 0; merge && k < operands.size(); ++k)
      merge = stride[k] == loops.stride[top - 1][k] * loops.size[top - 1];
    if (merge) {
      loops.size[top - 1] *= result[axis];
    } else {
      loops.size[top] = result[axis];
      loops.stride[top] = stride;
      ++loops.rank;
    }
  }
  if (loops.rank == 0) loops.size[static_cast<std::size_t>(loops.rank++)] = 1;
  std::reverse(loops.size.begin(), loops.size.begin() + loops.rank);
  std::reverse(loops.stride.begin(), loops.stride.begin() + loops.rank);
  return loops;
}

}  // namespace logpx
