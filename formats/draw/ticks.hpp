// Where the ticks of an axis stand and what they say: round numbers, as many as fit without
// touching, thousands as k, M, G and T.
#pragma once

#include "formats/draw/chart.hpp"

#include <functional>
#include <string>
#include <vector>

namespace logpx::draw {

struct Tick {
  double at = 0;
  std::string text = {};  // empty: a short one between those of a log axis
};

struct TickedAxis {
  double low = 0, high = 1;  // the whole axis: from a tick to a tick, unless ends are given
  std::vector<Tick> ticks = {};
};

struct TickRoom {
  int pixels = 0;  // of the axis
  // The pixels that two ticks must be apart if their longest text has this many letters.
  std::function<double(int letters)> needs = {};
};

// The number of the form 1, 2 or 5 times a power of ten that is nearest to `wanted`.
[[nodiscard]] double round_step(double wanted);

// An axis over [low, high]; ends that the axis itself gives stay as they are.
[[nodiscard]] TickedAxis ticked(const Axis& axis, double low, double high, const TickRoom& room);

}  // namespace logpx::draw
