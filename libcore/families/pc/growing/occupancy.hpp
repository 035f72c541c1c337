// How often each hidden state is expected in rows of data: what flows into it from the sums that
// read it.   [pc/README 6.1, 7.1]
#pragma once

#include "libcore/families/pc/growing/reshaping.hpp"
#include "libcore/families/pc/model.hpp"

namespace logpx::pc {

// Looks at most at so many rows, spread over the data.
inline constexpr std::int64_t most_occupancy_rows = 1 << 14;
[[nodiscard]] Occupancy occupancy_of(const PcModel& model, const Latents& latents,
                                     const Examples& rows);

// The same from expected counts of all parameters.
[[nodiscard]] Occupancy occupancy_of(const PassPlan& plan, const Latents& latents,
                                     std::span<const double> counts);

}  // namespace logpx::pc
