// A chart as plain data, and the gnuplot script that draws it: self-contained, its data inline.
//
//   Chart chart{.title = "train-vae, digits.h5"};
//   chart.panels.push_back({.x = {"samples"},
//                           .y = {"log p(x) / nats"},
//                           .curves = {{.label = "train", .x = samples, .y = bounds}}});
//   std::string script = gnuplot_script(chart);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx::draw {

enum class AxisScale { linear, log };
enum class CurveStyle { line, points, histogram };

struct Axis {
  std::string label = {};
  AxisScale scale = AxisScale::linear;
  std::optional<double> low = {}, high = {};  // of what is shown; empty: what the data need
};

struct Curve {
  std::string label = {};  // in the legend; empty: not there
  CurveStyle style = CurveStyle::line;
  std::vector<double> x = {}, y = {};  // y may hold NaN: a gap
  std::vector<double> std_error = {};  // of y; empty: none
};

// Bars are horizontal: names need room on the left, values are written on the right.
struct Bar {
  std::string label = {};   // equal labels that follow each other make one group
  std::string series = {};  // which report: colour and legend
  double value = 0;
  std::optional<double> std_error = {};
  std::string text = {};  // the value for people: "-98.41 ± 0.03"
};

struct Panel {
  Axis x = {}, y = {};
  std::vector<Curve> curves = {};
  std::vector<Bar> bars = {};  // instead of curves; x is then the axis of the values
};

struct ChartSize {
  int width = 0, height = 0;  // pixels; 0: chosen
};

struct Chart {
  std::string title = {};
  std::vector<Panel> panels = {};         // one below the other
  std::vector<std::string> sources = {};  // the commands that made the data: comments
  ChartSize size = {};
};

// Chosen where not given, by what the panels hold.
[[nodiscard]] ChartSize size_of(const Chart& chart);

// `gnuplot chart.gp > chart.svg` draws it; -e 'picture="png"' asks for PNG, -e 'file="a.svg"' for a
// file. A panel without one finite value, or a log axis without a positive one, is a data error.
[[nodiscard]] std::string gnuplot_script(const Chart& chart);

}  // namespace logpx::draw
