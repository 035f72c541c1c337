// Where a density is evaluated for a distribution function of cubic Hermite pieces, and one of its
// pieces: what hermite_cdf.hpp keeps by the table and training makes by the sample.
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
// number, of which two make a cell. Cell k has the points first_point(k) and the two after it.
class HermiteGrid {
 public:
  HermiteGrid(std::span<const double> breaks, std::int64_t intervals);
  // intervals + 1 points for each segment, at its ends a last bit inside, so that a jump there is
  // seen from the right side.
  [[nodiscard]] std::span<const double> points() const { return points_; }
  [[nodiscard]] std::span<const double> breaks() const { return ends_; }

  [[nodiscard]] std::size_t cells() const { return (ends_.size() - 1) * each_; }
  [[nodiscard]] std::size_t first_point(std::size_t cell) const { return 2 * cell + cell / each_; }
  [[nodiscard]] double width(std::size_t cell) const { return widths_[cell / each_]; }
  [[nodiscard]] double low(std::size_t cell) const {
    const std::size_t inside = cell % each_;
    return inside == 0 ? ends_[cell / each_] : points_[first_point(cell)];
  }
  [[nodiscard]] double high(std::size_t cell) const {
    return cell % each_ + 1 == each_ ? ends_[cell / each_ + 1] : points_[first_point(cell) + 2];
  }

  // sum_i weights[i] h(point i of the cell) is the integral of h from the cell's start to z, by the
  // rule that makes F of a density.
  struct Part {
    std::size_t cell = 0;
    double weights[3] = {};
  };
  [[nodiscard]] Part part_before(double z) const;

 private:
  std::vector<double> points_, ends_, widths_;
  std::size_t each_;  // cells of a segment
};

[[nodiscard]] inline double simpson(double first, double middle, double last, double width) {
  return width / 6 * (first + 4 * middle + last);
}

// F(low + t width) = below + mass t (a + t (b + t c)), from densities at the start, the middle and
// the end, all times the same factor. Slopes are held within what keeps F rising.
struct HermiteCell {
  double below, mass, low, width, a, b, c;
  double guess[3];  // where Newton's iteration begins

  HermiteCell(double start, double weight, const double (&g)[3])
      : below(start), mass(weight), low(0), width(0) {
    const double mean = (g[0] + 4 * g[1] + g[2]) / 6;
    double first = g[0] / mean, last = g[2] / mean;  // slopes of F in the unit square
    if (const double square = first * first + last * last; square > 9) {
      const double shrink = 3 / std::sqrt(square);
      first *= shrink;
      last *= shrink;
    }
    a = first;
    b = 3 - 2 * first - last;
    c = first + last - 2;
    const double rise = std::min(1 / first, 3.0), end = std::min(1 / last, 3.0);
    guess[0] = rise;
    guess[1] = 3 - 2 * rise - end;
    guess[2] = rise + end - 2;
  }
  // t with |F(low + t width) - u| <= 1e-12
  [[nodiscard]] double place_of(double u) const {
    constexpr double small_residual = 1e-12;
    const double r = std::min((u - below) / mass, 1.0);
    const auto residual = [&](double t) { return t * (a + t * (b + t * c)) - r; };
    double t = r * (guess[0] + r * (guess[1] + r * guess[2]));
    for (int step = 0; step < 2; ++step) t -= residual(t) / (a + t * (2 * b + t * 3 * c));
    if (t >= 0 && t <= 1 && std::fabs(residual(t)) * mass <= small_residual) return t;
    double low_t = 0, high_t = 1;
    while (high_t - low_t > 1e-16) {
      t = low_t / 2 + high_t / 2;
      if (t <= low_t || t >= high_t) break;
      (residual(t) < 0 ? low_t : high_t) = t;
    }
    return high_t;
  }
  [[nodiscard]] double rise_at(double t) const { return a + t * (2 * b + t * 3 * c); }
  [[nodiscard]] double slope_at(double t) const { return width / mass / rise_at(t); }  // dz/du
};

}  // namespace logpx
