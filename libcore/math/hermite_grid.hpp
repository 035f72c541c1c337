// Where a density is evaluated for a distribution function of cubic Hermite pieces, and samples by
// it: training makes the pieces that samples fall in, where hermite_cdf.hpp keeps tables of all.
// [spec/kaem.md 5.3, hermite]
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/math/cell_guide.hpp"

#include <array>
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
  std::vector<double> per_width_;  // of a segment: 1 / width of its cells
  std::size_t each_;               // cells of a segment
};

// Samples of one density after another: what is gathered of their cells, in blocks. `g` is the
// density at the points of the grid, `below` F at the edges of its cells, and `guide` finds those.
class HermiteSampler {
 public:
  template <typename T>
  struct Table {
    const HermiteGrid& grid;
    std::span<const T> g;
    std::span<const double> below;
    const CellGuide& guide;
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

  Column u_{}, below_{}, start_{}, middle_{}, end_{}, width_{}, low_{}, t_{}, slope_{};
};

}  // namespace logpx
