// Finds the cell of a rising table that holds u, in about one step: a guide table of Chen and Asau.
#pragma once

#include "libcore/math/inversion_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace logpx {

class CellGuide {
 public:
  // The upper ends of the cells, rising to 1. Allocates only where it has to grow.
  void rebuild(std::span<const double> uppers) {
    uppers_.assign(uppers.begin(), uppers.end());
    const std::size_t steps = 2 * uppers_.size();
    steps_ = static_cast<double>(steps);
    first_.assign(steps + 1, 0);
    for (std::size_t j = 0; j + 1 < uppers_.size(); ++j) {
      // Cells after j begin with this step; a little late, since u * steps rounds.
      const auto step = static_cast<std::size_t>(uppers_[j] * steps_ + 0.001) + 1;
      first_[std::min(step, steps)] = static_cast<unsigned>(j + 1);
    }
    for (std::size_t k = 1; k <= steps; ++k) first_[k] = std::max(first_[k], first_[k - 1]);
  }
  // The first cell whose upper end is at least u, 0 <= u <= 1.
  [[nodiscard]] std::size_t find(double u) const {
    std::size_t j = first_[static_cast<std::size_t>(u * steps_)];
    while (uppers_[j] < u) ++j;
    return j;
  }
  [[nodiscard]] double upper(std::size_t cell) const { return uppers_[cell]; }
  // For the kernels; low and high are the ends of all cells.
  [[nodiscard]] PieceGuide view(double low, double high) const {
    return {uppers_.data(), first_.data(), steps_, low, high};
  }

 private:
  std::vector<double> uppers_;
  std::vector<unsigned> first_;
  double steps_ = 0;
};

}  // namespace logpx
