// Inverses of distribution functions that are known by the masses of cells and linear in each. Only
// the basic operations of IEEE 754 are used: from the same masses the same bits on every machine.
// [math/README 8.4]
//
//   const std::vector<double> edges = cells_between(density.breaks, 512);
//   const CellQuantiles quantiles(edges, masses);
//   const double z = quantiles(0, u);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// Edges of about `count` cells of one size, with an edge at every break.
[[nodiscard]] std::vector<double> cells_between(std::span<const double> breaks, std::int64_t count);

class CellQuantiles {
 public:
  // One function for each row of masses [rows,cells]: finite, none negative, not all 0 in a row.
  CellQuantiles(std::vector<double> edges, std::span<const double> masses);
  [[nodiscard]] std::size_t rows() const { return sums_.size() / edges_.size(); }
  // inf{z : F(z) >= u}; within the cells that have mass for every u of [0, 1].
  [[nodiscard]] double operator()(std::size_t row, double u) const;

 private:
  std::vector<double> edges_, sums_;  // [cells+1], [rows,cells+1]: of the masses before an edge
};

}  // namespace logpx
