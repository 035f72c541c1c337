// Where a density is evaluated for a distribution function of cubic Hermite pieces, and samples by
// it: training makes the pieces that samples fall in, where hermite_cdf.hpp keeps tables of all.
// [math/README 8.3]
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/math/grid_kernels.hpp"
#include "libcore/math/inversion_kernels.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// The loops of this process for floats or doubles.
template <typename T>
[[nodiscard]] const GridKernels<T>& grid_kernels();

// Parts of integrals up to z: of its cell, as weights of the three points from first_point on.
struct CellParts {
  std::vector<long long> cells;
  std::array<std::vector<double>, 3> weights;
};

// Between two rising breaks the density is smooth; each segment is cut into `intervals`, an even
// number, of which two make a cell, with points first_point and the two after it.
class HermiteGrid {
 public:
  HermiteGrid(std::span<const double> breaks, std::int64_t intervals);
  // intervals + 1 points for each segment, the outer ones a last bit inside, so that a jump at its
  // ends is seen from the right side.
  [[nodiscard]] std::span<const double> points() const { return points_; }
  [[nodiscard]] std::span<const double> breaks() const { return ends_; }

  // One number per cell. Simpson's rule weighs a cell's first point with a sixth of its width.
  [[nodiscard]] std::span<const long long> first_points() const { return first_points_; }
  [[nodiscard]] std::span<const double> lows() const { return lows_; }
  [[nodiscard]] std::span<const double> widths() const { return widths_; }
  [[nodiscard]] std::span<const double> sixths() const { return sixths_; }
  [[nodiscard]] std::size_t cells() const { return lows_.size(); }

  // The integrals over cells of what has the values g at the points, by Simpson's rule.
  template <typename T>
  void masses(std::span<const T> g, std::span<double> masses) const;
  // The transpose, of rises that the sixths are already in: sums += rises (1, 4, 1) at the points
  // of cells.
  void spread(std::span<const double> rises, std::span<double> sums) const;
  // For every z its share of the integral from its cell's start to z, by the rule that makes F of a
  // density.
  void parts(std::span<const double> z, std::span<const double> shares, CellParts& parts) const;

 private:
  [[nodiscard]] std::size_t segments() const { return per_width_.size(); }

  std::vector<double> points_, ends_;
  std::vector<long long> first_points_;
  std::vector<double> lows_, widths_, sixths_;
  // For each segment: 1 / width of its cells, and width and sixth of its first one
  std::vector<double> per_width_, first_width_, first_sixth_;
  std::size_t each_;  // cells of a segment
};

// Draws samples of one density after another, in blocks whose cells are gathered first. `g` is the
// density at the points of the grid, and `below` F at the edges of its cells.
class HermiteSampler {
 public:
  template <typename T>
  struct Table {
    const HermiteGrid& grid;
    std::span<const T> g;
    std::span<const double> below;
  };
  // z = F^-1(u) with |F(z) - u| <= 1e-12 for F of the pieces, and dz/du unless slopes is empty.
  template <typename T>
  void draw(const Table<T>& table, std::span<const double> u, std::span<double> z,
            std::span<double> slopes);

 private:
  static constexpr std::size_t block = 128, room = block + cell_padding;
  using Column = std::array<double, room>;
  template <typename T>
  void gather(const Table<T>& table, std::span<const double> u);
  void bisect(std::size_t i);

  std::array<long long, room> cell_{};
  Column u_{}, below_{}, start_{}, middle_{}, end_{}, width_{}, low_{}, t_{}, slope_{};
};

}  // namespace logpx
