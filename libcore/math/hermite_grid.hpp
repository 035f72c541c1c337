// Where a density is evaluated for a distribution function of cubic Hermite pieces, and one of its
// pieces: training makes those that samples fall in, where hermite_cdf.hpp keeps tables of all.
// [spec/kaem.md 5.3, hermite]
#pragma once

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// Between two rising breaks the density is smooth; each segment is cut into `intervals`, an even
// number, of which two make a cell, with points first_point and the two after it.
class HermiteGrid {
 public:
  HermiteGrid(std::span<const double> breaks, std::int64_t intervals);
  // intervals + 1 points for each segment, at its ends a last bit inside, so that a jump there is
  // seen from the right side.
  [[nodiscard]] std::span<const double> points() const { return points_; }
  [[nodiscard]] std::span<const double> breaks() const { return ends_; }

  struct CellPlace {
    std::size_t first_point;
    double low, width, sixth;
    // Simpson's rule
    [[nodiscard]] double mass(double first, double middle, double last) const {
      return sixth * (first + 4 * middle + last);
    }
  };
  [[nodiscard]] std::span<const CellPlace> cells() const { return cells_; }

  // sum_i weights[i] h(point i of the cell) is the integral of h from the cell's start to z, by the
  // rule that makes F of a density.
  struct Part {
    std::size_t cell = 0;
    double weights[3] = {};
  };
  [[nodiscard]] Part part_before(double z) const;

 private:
  std::vector<double> points_, ends_;
  std::vector<CellPlace> cells_;
  std::size_t each_;  // cells of a segment
};

// The piece of one cell: F(low + t width) = below + mass t (a + t (b + t c)), from normalised
// densities at its start, middle and end. Slopes are held within what keeps F rising.
struct GridCell {
  double below, mass, low, width, a, b, c;

  GridCell(double start, const HermiteGrid::CellPlace& place, const double (&p)[3])
      : below(start), mass(place.mass(p[0], p[1], p[2])), low(place.low), width(place.width) {
    const double scale = width / mass;
    double first = p[0] * scale, last = p[2] * scale;  // slopes of F in the unit square
    if (const double square = first * first + last * last; square > 9) {
      const double shrink = 3 / std::sqrt(square);
      first *= shrink;
      last *= shrink;
    }
    a = first;
    b = 3 - 2 * first - last;
    c = first + last - 2;
  }
  // t with |F(low + t width) - u| <= 1e-12, by Newton's iteration or, failing that, by bisection
  [[nodiscard]] double place_of(double u) const {
    constexpr double small_residual = 1e-12;
    const double r = std::min((u - below) / mass, 1.0);
    const auto residual = [&](double t) { return t * (a + t * (b + t * c)) - r; };
    double t = r - residual(r);
    for (int step = 0; step < 6; ++step) {
      const double off = residual(t);
      if (step >= 2 && t >= 0 && t <= 1 && std::fabs(off) * mass <= small_residual) return t;
      t -= off / rise_at(t);
    }
    double low_t = 0, high_t = 1;
    while (high_t - low_t > 1e-16) {
      t = low_t / 2 + high_t / 2;
      if (t <= low_t || t >= high_t) break;
      (residual(t) < 0 ? low_t : high_t) = t;
    }
    return high_t;
  }
  [[nodiscard]] double rise_at(double t) const { return a + t * (2 * b + t * 3 * c); }
  [[nodiscard]] double slope_at(double t) const { return width / (mass * rise_at(t)); }  // dz/du
};

}  // namespace logpx
