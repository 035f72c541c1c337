// A distribution function as cubic Hermite pieces: tables made by the thousand in training, from
// values of a density on equal steps.   [spec/kaem.md 5.3, hermite]
//
//   HermiteCdf table(breaks, 200);
//   density.log_g(table.points(), log_g);
//   table.rebuild(log_g);
//   table.quantiles(u, z);
#pragma once

#include "libcore/math/cell_guide.hpp"
#include "libcore/math/hermite_grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class HermiteCdf {
 public:
  // Each segment between two rising breaks is cut into `intervals`, an even number.
  HermiteCdf(std::span<const double> breaks, std::int64_t intervals);

  // Where log g is wanted.
  [[nodiscard]] std::span<const double> points() const { return grid_.points(); }
  // log g at the points, up to a constant. Simpson's rule gives F at the edges of cells, g its
  // slopes, held within what keeps F rising. Allocates only the first time. A density without
  // mass, or one that is not finite, is a numeric error.
  void rebuild(std::span<const double> log_g);

  [[nodiscard]] double log_total() const { return log_total_; }
  [[nodiscard]] double low() const { return cells_.front().low; }
  [[nodiscard]] double high() const { return cells_.back().low + cells_.back().width; }
  // inf{z : F(z) >= u}; the ends of the mass for u <= 0 and u >= 1. |F(quantile(u)) - u| <= 1e-11
  // for this F.
  [[nodiscard]] double quantile(double u) const;
  void quantiles(std::span<const double> u, std::span<double> z) const;
  [[nodiscard]] double cdf(double z) const;
  [[nodiscard]] double density(double z) const;  // F'
  [[nodiscard]] double slope(double u) const;    // dz/du

 private:
  struct Cell : HermiteCell {
    double upper = 1;
  };
  struct Place {
    const Cell* cell;
    double t;
  };
  void add_cell(double below, const HermiteGrid::CellPlace& place, double total);
  [[nodiscard]] Place place_of_u(double u) const;
  [[nodiscard]] const Cell& cell_at(double z) const;
  [[nodiscard]] double upper(std::size_t j) const { return cells_[j].upper; }

  HermiteGrid grid_;
  std::vector<double> scaled_;
  double log_total_ = 0;
  std::vector<Cell> cells_;  // those with mass
  CellGuide guide_;
};

}  // namespace logpx
