// A density on an interval, known up to a factor: as a function, a table, or a histogram.
// [math/README 8.1]
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace logpx {

// Its logarithm at every z, up to a constant; -inf where it has no mass.
using LogDensity = std::function<void(std::span<const double> z, std::span<double> log_g)>;

struct IntervalDensity {
  LogDensity log_g;
  std::vector<double> breaks;  // rising: both ends, and wherever there is a kink or a jump
};

// cubic: monotone wherever the data are, hence never below 0 [Fritsch and Carlson].
enum class TableCurve { linear, cubic };

// Through (z_i, density_i): z rises, densities are finite, none is negative, not all are 0.
[[nodiscard]] IntervalDensity tabulated_density(std::span<const double> z,
                                                std::span<const double> density, TableCurve curve);
// Constant between edges, one more than there are counts.
[[nodiscard]] IntervalDensity histogram_density(std::span<const double> edges,
                                                std::span<const double> counts);

}  // namespace logpx
