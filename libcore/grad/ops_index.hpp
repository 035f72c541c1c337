// Moving values about: gathers and scatters, joins and cuts, orders of axes. Index operands are
// int32 inputs of the graph; an index outside its range is a programmer's mistake.
#pragma once

#include "libcore/grad/graph.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

// Rows of a table: weight [V,...], index [...] -> index's shape x [...]. Gradients of a row that is
// used repeatedly add up in the order of the index.
[[nodiscard]] Var embedding(Var weight, Var index);
// index [...] -> [...,classes]
[[nodiscard]] Var one_hot(Var index, std::int64_t classes);
// Along the last axis: x [...,N], index [...,K] -> [...,K], out[...,k] = x[..., index[...,k]]
[[nodiscard]] Var take_along(Var x, Var index);

// All shapes agree but for `axis` (negative: from the end).
[[nodiscard]] Var concat(const std::vector<Var>& parts, int axis);
[[nodiscard]] Var slice(Var x, int axis, std::int64_t begin, std::int64_t end);
[[nodiscard]] std::vector<Var> split(Var x, int axis, const std::vector<std::int64_t>& sizes);

// out axis i is axis order[i] of x.
[[nodiscard]] Var permute(Var x, const std::vector<int>& order);
// Along an axis: repeat 2: a a b b; tile 2: a b a b.
[[nodiscard]] Var repeat(Var x, int axis, std::int64_t times);
[[nodiscard]] Var tile(Var x, int axis, std::int64_t times);
[[nodiscard]] inline Var repeat_rows(Var x, std::int64_t times) { return repeat(x, 0, times); }
[[nodiscard]] Var flip(Var x, int axis);

// A symmetric [B,n,n,C] with zero diagonal, and its pairs i < j row by row, [B,n(n-1)/2,C].
[[nodiscard]] Var triangular_unpack(Var pairs, std::int64_t n);
// Reads the upper triangle alone.
[[nodiscard]] Var triangular_pack(Var square);

}  // namespace logpx
