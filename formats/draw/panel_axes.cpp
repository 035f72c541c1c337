#include "formats/draw/panel_axes.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::draw {

namespace {

// What the data of an axis reach over.
struct Reach {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(const Axis& axis, double value) {
    if (!drawable(axis, value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Reach reach_across(const Panel& panel) {
  Reach reach;
  for (const Bar& bar : panel.bars) {
    const double error = bar.std_error.value_or(0);
    for (const double value : {0.0, bar.value - error, bar.value + error})
      reach.add(panel.x, value);
  }
  for (const Curve& curve : panel.curves) {
    const bool bins = curve.style == CurveStyle::histogram && curve.x.size() > 1;
    const double half = bins ? std::abs(curve.x[1] - curve.x[0]) / 2 : 0;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!drawable(panel.y, curve.y[i])) continue;
      reach.add(panel.x, curve.x[i] - half);
      reach.add(panel.x, curve.x[i] + half);
    }
  }
  return reach;
}

Reach reach_up(const Panel& panel) {
  Reach reach;
  for (const Curve& curve : panel.curves) {
    if (curve.style == CurveStyle::histogram) reach.add(panel.y, 0);
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      if (!drawable(panel.x, curve.x[i])) continue;
      const double error = curve.std_error.empty() ? 0 : curve.std_error[i];
      for (const double value : {curve.y[i], curve.y[i] - error, curve.y[i] + error})
        reach.add(panel.y, value);
    }
  }
  return reach;
}

}  // namespace

bool drawable(const Axis& axis, double value) {
  return std::isfinite(value) && (axis.scale == AxisScale::linear || value > 0);
}

TickedAxis axis_across(const Panel& panel, int pixels) {
  const Reach reach = reach_across(panel);
  return ticked(panel.x, reach.low, reach.high,
                {pixels, [](int count) { return std::max(48, letter_width * count + 16); }});
}

TickedAxis axis_up(const Panel& panel, int pixels) {
  const Reach reach = reach_up(panel);
  return ticked(panel.y, reach.low, reach.high, {pixels, [](int) { return 32; }});
}

}  // namespace logpx::draw
