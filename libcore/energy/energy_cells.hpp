// Densities of energies as masses of cells, computed by libcore/det alone: what an encoder and a
// decoder make samples from, on whatever machines they run.   [kaem/README 11.1]
//
//   const EnergyCells cells = energy_cells(values, feature, 512);
//   const CellQuantiles quantiles(cells.edges, cells.masses);
#pragma once

#include "libcore/energy/energy_values.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

struct EnergyCells {
  std::vector<double> edges;   // [cells+1]
  std::vector<double> masses;  // [C,cells]: each curve's have the sum 1
};

// About `count` cells, by three Gauss nodes in each. A numeric error for an energy above 1e5, and
// for a density without mass.
[[nodiscard]] EnergyCells energy_cells(const EnergyValues& values, std::int64_t feature,
                                       std::int64_t count);

}  // namespace logpx
