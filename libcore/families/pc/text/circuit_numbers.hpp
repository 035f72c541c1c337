// A circuit together with its parameters, as text has them.
#pragma once

#include "libcore/families/pc/passes/plan.hpp"
#include "libcore/families/pc/text/circuit_text.hpp"

namespace logpx::pc {

[[nodiscard]] CircuitText with_numbers(const PassPlan& plan, const ParamSet& params);

}  // namespace logpx::pc
