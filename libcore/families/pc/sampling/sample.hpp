// Draws from a circuit, from its root down: each sum chooses one of its inputs, each product takes
// all of its children. A Monarch sum draws one state for each of its layers, so that a step costs
// the sum of its factors and not their product.   [pc/README 9.6]
#pragma once

#include "libcore/model/plan.hpp"

#include <memory>

namespace logpx::pc {

class PcModel;

// Rows as long as those of the model's data.
[[nodiscard]] std::unique_ptr<SamplingPlan> make_sampling(const PcModel& model);

}  // namespace logpx::pc
