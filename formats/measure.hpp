// What log p(x) of a report, or of a line of a history, is the logarithm of: the members "measure"
// and "density_of" (logpx-report(5)).
#pragma once

#include "formats/json/value.hpp"
#include "libcore/data/measure.hpp"

namespace logpx {

void add_measure(Json& json, const MeasuredAs& measured);
[[nodiscard]] MeasuredAs measure_in(const Json& json);

}  // namespace logpx
