// From reports and training histories to a chart: curves from `series` and from history lines, bars
// from the quantities of `result`; several inputs are drawn over each other.   [logpx-report(5)]
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
// A data error that names file and line for anything else.
[[nodiscard]] ChartInput parse_chart_input(const std::string& text, const std::string& name);

struct ChartRequest {
  std::vector<std::string> names = {};  // series, history keys, quantities; none: a choice
  std::string x = "step";               // the history key along the x axis
  AxisScale x_scale = AxisScale::linear, y_scale = AxisScale::linear;
  std::string y_range = {};  // "LOW:HIGH", either may be left out; empty: all
  // Allows inputs of several binarisations or measures in one chart; the legend tells them apart.
  bool mix_binarisation = false, mix_measures = false;
};

// Everything that could be asked for by name, in the order of the inputs.
[[nodiscard]] std::vector<std::string> chart_names(const std::vector<ChartInput>& inputs,
                                                   const ChartRequest& request);
// An unknown name is a usage error with a suggestion, and so are nats, or bits, that cannot be
// compared, unless the request allows it. The title is what was run on which data, and
// the sources are the commands that the inputs remember.
[[nodiscard]] Chart chart_of(const std::vector<ChartInput>& inputs, const ChartRequest& request);

}  // namespace logpx::draw
