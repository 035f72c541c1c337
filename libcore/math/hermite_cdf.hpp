// A distribution function as cubic Hermite pieces: tables made by the thousand in training, from
// values of a density on equal steps.   [math/README 8.3]
//
//   HermiteCdf table(breaks, 200);
//   density.log_g(table.points(), log_g);
//   table.rebuild(log_g);
//   table.quantiles(u, z);
#pragma once

#include "libcore/math/cell_guide.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class HermiteCdf {
 public:
  // Between two rising breaks the density is smooth; each segment is cut into `intervals`, an even
  // number, of which two make a cell.
  HermiteCdf(std::span<const double> breaks, std::int64_t intervals);

  // Where log g is wanted: intervals + 1 points for each segment, the outer ones a last bit inside,
  // so that a jump at its ends is seen from the right side.
  [[nodiscard]] std::span<const double> points() const { return points_; }
  // log g at the points, up to a constant. Simpson's rule gives F at the edges of cells, g its
  // slopes, limited so that F rises. Allocates only the first time. A density without mass, or one
  // that is not finite, is a numeric error.
  void rebuild(std::span<const double> log_g);

  [[nodiscard]] double log_total() const { return log_total_; }
  [[nodiscard]] double low() const { return cells_.front().low; }
  [[nodiscard]] double high() const { return cells_.back().low + cells_.back().width; }
  // inf{z : F(z) >= u}; the ends of the mass for u <= 0 and u >= 1. |F(quantile(u)) - u| <= 1e-11
  // for this F. Several at once take less.
  [[nodiscard]] double quantile(double u) const;
  void quantiles(std::span<const double> u, std::span<double> z) const;
  [[nodiscard]] double cdf(double z) const;
  [[nodiscard]] double density(double z) const;          // F'
  [[nodiscard]] double slope(double u) const;            // dz/du
  [[nodiscard]] double slope(double u, double z) const;  // the same, where z = quantile(u)

 private:
  void build_cells(double total);
  [[nodiscard]] const HermiteCell& cell_at(double z) const;

  std::vector<double> points_, ends_, scaled_;  // ends_: breaks
  std::int64_t intervals_ = 0;
  double log_total_ = 0;
  std::vector<double> mean_, first_, last_, rise_, end_;  // of all cells, those without mass too
  std::vector<HermiteCell> cells_;                        // those with mass
  std::vector<double> uppers_;
  CellGuide guide_;
};

}  // namespace logpx
