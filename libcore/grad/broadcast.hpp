// Broadcasting by NumPy's rule: shapes are aligned at the right, a size of 1 (or a missing one)
// repeats. Loops come as few contiguous runs: axes that behave alike are merged.
#pragma once

#include "libcore/math/tensor.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace logpx {

// A misfit is a usage error without subject: "[3,4] against [3,5]: 4 vs 5".
[[nodiscard]] Shape broadcast_shape(std::span<const Shape> operands);

struct BroadcastLoops {
  static constexpr int max_operands = 3;
  using Offsets = std::array<std::int64_t, max_operands>;
  int rank = 0;
  std::array<std::int64_t, Shape::max_rank> size{};
  std::array<Offsets, Shape::max_rank> stride{};  // 0 where an operand repeats

  // 1: the operand moves along a run; 0: it stays.
  [[nodiscard]] bool moves(int operand) const {
    return stride[static_cast<std::size_t>(rank - 1)][static_cast<std::size_t>(operand)] != 0;
  }
};
[[nodiscard]] BroadcastLoops broadcast_loops(std::span<const Shape> operands, const Shape& result);

// body(first element of the result, first elements of the operands, length of the run)
template <typename Body>
void for_each_run(const BroadcastLoops& loops, Body body) {
  const auto inner = static_cast<std::size_t>(loops.rank - 1);
  const std::int64_t length = loops.size[inner];
  std::int64_t runs = 1;
  for (std::size_t axis = 0; axis < inner; ++axis) runs *= loops.size[axis];
  if (length == 0) return;
  std::array<std::int64_t, Shape::max_rank> at{};
  BroadcastLoops::Offsets offsets{};
  for (std::int64_t run = 0; run < runs; ++run) {
    body(run * length, offsets, length);
    for (std::size_t axis = inner; axis-- > 0;) {
      const bool wraps = ++at[axis] == loops.size[axis];
      const std::int64_t steps = wraps ? 1 - loops.size[axis] : 1;
      for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] += steps * loops.stride[axis][k];
      if (!wraps) break;
      at[axis] = 0;
    }
  }
}

}  // namespace logpx
