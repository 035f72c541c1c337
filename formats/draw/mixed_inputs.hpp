// Not everything may be drawn together: log p of data that were binarised by another rule is about
// other data, and probabilities and densities have no common scale.   [data/README 1.2]
#pragma once

#include "formats/draw/chart.hpp"
#include "formats/json/value.hpp"
#include "libcore/data/measure.hpp"

#include <string>
#include <vector>

namespace logpx::draw {

// A report (one JSON object with "schema": "logpx.report/1") or a history (JSON lines).
struct ChartInput {
  std::string name = {};         // of the file, for messages
  std::string label = {};        // in legends
  Json report = {};              // null for a history
  std::vector<Json> lines = {};  // of a history, without its header
  Json header = {};              // of a history, with the units of its keys
  // The conditions of the numbers, as far as the input says: not all may be drawn together.
  std::string binarise = {};
  MeasuredAs measured = {};
};

struct ChartRequest {
  std::vector<std::string> names = {};  // series, history keys, quantities; none: a choice
  std::string x = "step";               // the history key along the x axis
  AxisScale x_scale = AxisScale::linear, y_scale = AxisScale::linear;
  std::string y_range = {};  // "LOW:HIGH", either may be left out; empty: all
  // Allows inputs of several binarisations or measures in one chart; the legend tells them apart.
  bool mix_binarisation = false, mix_measures = false;
};

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
