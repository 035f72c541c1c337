// Ordinary differential equations for many rows at once: dy/dt = slope(t, y), y of `width` numbers.
//
//   const RowOde decay{1, [](auto t, auto y, auto slope) {
//     for (std::size_t i = 0; i < y.size(); ++i) slope[i] = -y[i];
//   }};
//   std::vector<double> y = {1, 2};
//   runge_kutta_4(decay, {0, 3, 100}, y);   // both times e^-3
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace logpx {

struct RowOde {
  std::int64_t width = 1;
  // t [rows], y and slope [rows, width]
  std::function<void(std::span<const double> t, std::span<const double> y, std::span<double> slope)>
      slope;
};

struct EvenSteps {
  double from = 0, to = 1;
  std::int64_t count = 100;
};
// The classical method of fourth order.
void runge_kutta_4(const RowOde& ode, const EvenSteps& steps, std::span<double> y);

struct AdaptiveSteps {
  double from = 0, to = 1;
  double tolerance = 1e-5;  // of a step: absolute, and relative to what is larger than 1
  std::int64_t most = 10000;
};
// Dormand and Prince's method of order 5(4); each row has steps of its own. A numeric error where
// they are more than `most`, or where the slope is not finite.
void dormand_prince(const RowOde& ode, const AdaptiveSteps& steps, std::span<double> y);

}  // namespace logpx
