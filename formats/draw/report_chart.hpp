// From reports and training histories to a chart: curves from `series` and from history lines, bars
// from the quantities of `result`; several inputs are drawn over each other.   [logpx-report(5)]
#pragma once

#include "formats/draw/chart.hpp"
#include "formats/draw/mixed_inputs.hpp"

#include <string>
#include <vector>

namespace logpx::draw {

// A data error that names file and line for anything else.
[[nodiscard]] ChartInput parse_chart_input(const std::string& text, const std::string& name);

// Everything that could be asked for by name, in the order of the inputs.
[[nodiscard]] std::vector<std::string> chart_names(const std::vector<ChartInput>& inputs,
                                                   const ChartRequest& request);
// An unknown name is a usage error with a suggestion, and so are nats, or bits, that cannot be
// compared, unless the request allows it. The title is what was run on which data, and
// the sources are the commands that the inputs remember.
[[nodiscard]] Chart chart_of(const std::vector<ChartInput>& inputs, const ChartRequest& request);

}  // namespace logpx::draw
