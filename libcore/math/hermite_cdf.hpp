// A distribution function as cubic Hermite pieces: tables made by the thousand in training, from
// values of a density on equal steps.   [spec/kaem.md 5.3, hermite]
//
//   HermiteCdf table(breaks, 200);
//   density.log_g(table.points(), log_g);
//   table.rebuild(log_g);
//   table.quantiles(u, z);
#pragma once

#include "libcore/base/index.hpp"
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

  // Where log g is wanted: intervals + 1 points for each segment, at its ends a last bit inside, so
  // that a jump there is seen from the right side.
  [[nodiscard]] std::span<const double> points() const { return points_; }
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
  void quantiles(std::span<const double> u, std::span<double> z,
                 std::span<double> slopes) const;  // dz/du
  [[nodiscard]] double cdf(double z) const;
  [[nodiscard]] double density(double z) const;  // F'
  [[nodiscard]] double slope(double u) const;    // dz/du

  // g at the points, divided by its integral.
  void point_densities(std::span<double> p) const;

  // The rule itself, for other functions on the points: cell k of cells() has points first_point(k)
  // and the two after it.
  [[nodiscard]] std::size_t cells() const { return (ends_.size() - 1) * at(intervals_ / 2); }
  [[nodiscard]] std::size_t first_point(std::size_t cell) const {
    return 2 * cell + cell / at(intervals_ / 2);
  }
  [[nodiscard]] double cell_width(std::size_t cell) const;
  // sum_i weights[i] h(point i of the cell) is the integral of h from the cell's start to z.
  struct CellPart {
    std::size_t cell = 0;
    double weights[3] = {};
  };
  [[nodiscard]] CellPart part_before(double z) const;

 private:
  // F(low + t width) = below + mass t (a + t (b + t c)); `guess` starts Newton's iteration.
  struct Cell {
    double below, upper, low, width, mass, a, b, c;
    double guess[3];
  };
  struct Place {
    const Cell* cell;
    double t;
    [[nodiscard]] double slope() const {  // dz/du
      return cell->width / cell->mass / (cell->a + t * (2 * cell->b + t * 3 * cell->c));
    }
  };
  void add_cell(double below, double mass, std::size_t first_point, const double* g);
  [[nodiscard]] Place place_of_u(double u) const;
  [[nodiscard]] const Cell& cell_at(double z) const;
  [[nodiscard]] double upper(std::size_t j) const { return cells_[j].upper; }

  std::vector<double> points_, ends_, scaled_;  // ends_: breaks
  std::int64_t intervals_ = 0;
  double total_ = 1, log_total_ = 0;  // of scaled_; of g
  std::vector<Cell> cells_;           // those with mass
  CellGuide guide_;
};

}  // namespace logpx
