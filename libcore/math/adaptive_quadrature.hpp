// Integrals by panels that halve where the error is largest.   [math/README 7.2]
//
//   const AdaptiveIntegral area = adaptive_integral(f, breaks, {});
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// f at every x, many at once, since that is cheaper for most functions.
using RealFunction = std::function<void(std::span<const double> x, std::span<double> y)>;

struct AdaptiveOptions {
  std::int64_t kronrod = 10;   // the rule's n, of 2n + 1 nodes
  double tolerance = 1e-12;    // of the sum of errors, relative to the integral
  double floor = 1e-300;       // what counts as no error
  std::int64_t panels = 2000;  // at most, unless there are more from the start
};

// An integral over [low,high] by Kronrod's rule, how far that of Gauss is from it, and the values
// of f on the rule's nodes.
struct QuadraturePanel {
  double low = 0, high = 0, integral = 0, error = 0;
  std::vector<double> values = {};
};

struct AdaptiveIntegral {
  double value = 0, error = 0;
  std::vector<QuadraturePanel> panels = {};  // from left to right
};

// Panels begin between rising `breaks`, which stand wherever f has a kink or a jump. When `panels`
// do not suffice, or f is not finite, that is a numeric error.
[[nodiscard]] AdaptiveIntegral adaptive_integral(const RealFunction& f,
                                                 std::span<const double> breaks,
                                                 const AdaptiveOptions& options);

}  // namespace logpx
