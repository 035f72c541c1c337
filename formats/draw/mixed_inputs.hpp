// Not everything may be drawn together: log p of data that were binarised by another rule is about
// other data, and probabilities and densities have no common scale.   [data/README 1.2]
#pragma once

#include "formats/draw/report_chart.hpp"

#include <string>
#include <vector>

namespace logpx::draw {

// What a report, or the lines of a history, say about the conditions of their numbers.
void note_reading(ChartInput& input);

// The part of a chart's input that is about log p.
struct DrawnUnits {
  bool nats = false, bits = false;
};
// The labels of the inputs in legends. Inputs that cannot be compared are refused, unless the
// request allows them: then each label says what its input is.
[[nodiscard]] std::vector<std::string> labels_apart(const std::vector<ChartInput>& inputs,
                                                    const std::vector<DrawnUnits>& drawn,
                                                    const ChartRequest& request);

}  // namespace logpx::draw
