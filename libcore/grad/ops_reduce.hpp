// Sums and their kin over one axis (negative: from the end), over all axes, or over the trailing
// axes that follow the first `kept` ones. Sums are taken in double.
#pragma once

#include "libcore/grad/graph.hpp"

namespace logpx {

struct Over {
  int first = 0, last = 0;  // axes [first, last)
};
[[nodiscard]] Over over_axis(Var x, int axis);
[[nodiscard]] Over over_all(Var x);
[[nodiscard]] Over over_trailing(Var x, int kept);

[[nodiscard]] Var sum(Var x, Over over);
[[nodiscard]] Var mean(Var x, Over over);
[[nodiscard]] Var max(Var x, Over over);        // the gradient goes to the first of equals
[[nodiscard]] Var min(Var x, Over over);        // likewise
[[nodiscard]] Var logsumexp(Var x, Over over);  // -inf and no gradient where all are -inf
[[nodiscard]] Var variance(Var x, Over over);   // about the mean, divided by n; two passes

[[nodiscard]] inline Var sum(Var x) { return sum(x, over_all(x)); }
[[nodiscard]] inline Var mean(Var x) { return mean(x, over_all(x)); }
[[nodiscard]] inline Var max(Var x) { return max(x, over_all(x)); }
[[nodiscard]] inline Var min(Var x) { return min(x, over_all(x)); }
[[nodiscard]] inline Var logsumexp(Var x) { return logsumexp(x, over_all(x)); }
[[nodiscard]] inline Var variance(Var x) { return variance(x, over_all(x)); }
[[nodiscard]] inline Var sum(Var x, int axis) { return sum(x, over_axis(x, axis)); }
[[nodiscard]] inline Var mean(Var x, int axis) { return mean(x, over_axis(x, axis)); }
[[nodiscard]] inline Var max(Var x, int axis) { return max(x, over_axis(x, axis)); }
[[nodiscard]] inline Var min(Var x, int axis) { return min(x, over_axis(x, axis)); }
[[nodiscard]] inline Var logsumexp(Var x, int axis) { return logsumexp(x, over_axis(x, axis)); }
[[nodiscard]] inline Var variance(Var x, int axis) { return variance(x, over_axis(x, axis)); }

// Same shape as x. All -inf along the axis: zeros, or -inf, without a gradient.
[[nodiscard]] Var softmax(Var x, int axis = -1);
[[nodiscard]] Var log_softmax(Var x, int axis = -1);

enum class Direction { forward, reverse };  // reverse: sums from here to the end
[[nodiscard]] Var cumulative_sum(Var x, int axis = -1, Direction direction = Direction::forward);

}  // namespace logpx
