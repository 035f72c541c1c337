// Several positions of a row at once, as if they did not depend on each other: which of them go
// together so that a row costs the fewest bits for so many looks at the network.
// [Hoogeboom et al. 2022, sec. 3.1; arm/README 7]
#pragma once

#include "libcore/families/arm/state_predictor.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

// A row to try it on, and the order that its dims become known in.
struct SampleRow {
  std::vector<std::int32_t> x;  // by dim; `absent` where the row has none
  std::vector<std::uint32_t> order;
};

// [dims] nats that a position costs on average when so many before it are known; a position that a
// row does not have costs nothing. It never rises. Computed at 32 places at most, the more of them
// the fewer are known, and on the lines between them.
[[nodiscard]] std::vector<double> nats_by_known(const StatePredictor& predictor,
                                                std::span<const SampleRow> rows);

// Where the groups end, ascending to nats.size(), so that sum over groups of size * nats[begin] is
// the least. `nats` never rises; 1 <= groups <= nats.size().
[[nodiscard]] std::vector<std::int64_t> best_groups(std::span<const double> nats,
                                                    std::size_t groups);

// The nearest values (by squares) that never rise.
void make_falling(std::span<double> values);

}  // namespace logpx::arm
