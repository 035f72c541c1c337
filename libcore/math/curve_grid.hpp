// Grids of curves, and how they move: a grid follows the inputs of its feature, and the curves on
// it are fitted to what they were.   [math/README 6.3]
//
//   std::ranges::sort(inputs);
//   const GridMoved moved = move_grid(form, {.tau = tau}, inputs, curves);
//
// Grids are evenly spaced at first. Fourier and Chebyshev functions have none, only a domain.
#pragma once

#include "libcore/math/curve_basis.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace logpx {

// Evenly spaced points on [low, high]; with `degree` further ones beyond both ends.
[[nodiscard]] std::vector<double> uniform_grid(double low, double high, int intervals);
[[nodiscard]] std::vector<double> extended_knots(const std::vector<double>& grid, int degree);
// What a form keeps of a grid of G+1 points: these, knots, or nothing.
[[nodiscard]] std::vector<double> grid_of(const CurveForm& form, const std::vector<double>& points);

struct GridMove {
  double ratio = 0.05;  // of even points; the rest are quantiles of the inputs
  double pad = 0.05;    // of the range, beyond both ends
  double lowest = -std::numeric_limits<double>::infinity();  // the domain stays between these
  double highest = std::numeric_limits<double>::infinity();
  double tau = 1;
  // A feature whose curves would change by more than this share of their range keeps its grid.
  // Infinity for curves that are still the noise they started as.
  double most_change = 0.1;
};
// G+1 ascending points for ascending inputs. Empty when these give no interval.
[[nodiscard]] std::vector<double> moved_points(int intervals, const GridMove& move,
                                               std::span<const double> inputs);

// One feature with all curves on it, changed in place.
struct GridCurves {
  std::span<double> grid;    // [grid_size]
  std::span<double> domain;  // [2]: the spacing h of RBFs is its length divided by G
  std::span<float> coef;     // [curves,K]
};
enum class GridFate {
  moved,
  no_interval,  // the inputs are all alike, or lie outside the limits
  rolled_back   // the curves would have changed too much
};
struct GridMoved {
  GridFate fate = GridFate::moved;
  double change = 0;  // root mean square of the change, divided by that of the curves' ranges
};
[[nodiscard]] GridMoved move_grid(const CurveForm& form, const GridMove& move,
                                  std::span<const double> inputs, const GridCurves& curves);

// How many inputs lie outside a domain.
[[nodiscard]] std::int64_t count_outside(std::span<const double> inputs,
                                         std::span<const double> domain);

}  // namespace logpx
