// A density on an interval as a table of two columns: z and the density there or its logarithm, or
// the edges and counts of a histogram.   [kaem/README 4.3]
#pragma once

#include "formats/number_table.hpp"

#include <vector>

namespace logpx {

enum class DensityColumn { density, logarithm, counts };

struct DensityTable {
  std::vector<double> z;        // rising
  std::vector<double> density;  // scaled to a largest of 1; counts are one fewer than edges
};

// Columns are the first two or, where a table with a line of names has more, those called z and
// density (edge and count; with the logarithm log_density will do). Counts stand beside the lower
// edge of their bar; beside the last edge stands nothing, or 0.
// Fewer than two points, z that does not rise, what is negative or not finite (the logarithm may be
// -inf), and no mass at all are data errors that name the line.
[[nodiscard]] DensityTable density_of(const NumberTable& table, DensityColumn column);

}  // namespace logpx
