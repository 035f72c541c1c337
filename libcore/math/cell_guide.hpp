// Finds the cell of a rising table that holds u, in about one step: a guide table of Chen and Asau.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace logpx {

class CellGuide {
 public:
  // Cells j, whose upper ends upper(j) rise to 1. Allocates only where it has to grow.
  template <typename Upper>
  void rebuild(std::size_t cells, Upper upper) {
    first_.assign(2 * cells + 1, 0);
    scale_ = static_cast<double>(2 * cells);
    for (std::size_t j = 0; j + 1 < cells; ++j) {
      // a little late, since u * 2 cells rounds
      const auto k = static_cast<std::size_t>(upper(j) * scale_ + 0.001) + 1;
      if (k < first_.size()) first_[k] = static_cast<std::uint32_t>(j + 1);
    }
    for (std::size_t k = 1; k < first_.size(); ++k) first_[k] = std::max(first_[k], first_[k - 1]);
  }
  // The first cell whose upper end is at least u, 0 < u < 1.
  template <typename Upper>
  [[nodiscard]] std::size_t find(double u, Upper upper) const {
    std::size_t j = first_[static_cast<std::size_t>(u * scale_)];
    while (upper(j) < u) ++j;
    return j;
  }

 private:
  std::vector<std::uint32_t> first_;
  double scale_ = 0;
};

}  // namespace logpx
