// Not everything may be drawn together: log p of data that were binarised otherwise is about other
// data, and probabilities and densities have no common scale.   [spec/vae.md section 2]
#pragma once

#include "formats/draw/report_chart.hpp"

#include <string>
#include <vector>

namespace logpx::draw {

// What a report, or the lines of a history, say of how their numbers came about.
void note_reading(ChartInput& input);

// What a chart has of one input that is about log p.
struct DrawnUnits {
  bool nats = false, bits = false;
};
// The labels of the inputs in legends: where the request allows those that cannot be compared, each
// says what it is. A refusal where it does not.
[[nodiscard]] std::vector<std::string> labels_apart(const std::vector<ChartInput>& inputs,
                                                    const std::vector<DrawnUnits>& drawn,
                                                    const ChartRequest& request);

}  // namespace logpx::draw
