// A normal variable on a fine lattice, of which a window around the mean is coded cell by cell.
// [codec/README 3.4]
#pragma once

#include "libcore/codec/analytic.hpp"
#include "libcore/codec/distribution.hpp"

#include <cstdint>

namespace logpx::codec {

// A lattice of Cells and how many of them are coded one by one: a power of two, W h >= 16 sigma.
struct Lattice {
  Cells cells;
  std::uint32_t window = 1;
};

// The symbols of the window: [all cells below it], its cells, [all cells above it].
class WindowDist {
 public:
  WindowDist(const Lattice& lattice, const Normal& normal, int precision, Leak leak);

  [[nodiscard]] std::uint32_t n() const { return below() + (end_ - begin_) + above(); }
  [[nodiscard]] int precision() const { return precision_; }
  [[nodiscard]] std::uint32_t cdf(std::uint32_t i) const {
    if (i == 0) return 0;
    if (i == n()) return 1u << precision_;
    const double g = normal_.cdf(cells_.edge(begin_ + i - below()));
    return leak_ == Leak::kept ? parts_of(g, parts_) + 2 * i : parts_of(g, parts_, 0.5);
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t part) const {
    return halving_search(n(), part, [this](std::uint32_t i) { return cdf(i); });
  }

  // The cells of the window, and whether there are any below and above.
  [[nodiscard]] std::uint32_t begin() const { return begin_; }
  [[nodiscard]] std::uint32_t end() const { return end_; }
  [[nodiscard]] std::uint32_t below() const { return begin_ > 0 ? 1 : 0; }
  [[nodiscard]] std::uint32_t above() const { return end_ < cells_.n ? 1 : 0; }

 private:
  Cells cells_;
  Normal normal_;
  int precision_;
  Leak leak_;
  std::uint32_t begin_, end_;
  double parts_;
};

// All cells: a symbol of the window, and outside it (in decode order) which of those cells.
class LatticeNormal {
 public:
  LatticeNormal(const Lattice& lattice, const Normal& normal, int precision, Leak leak)
      : window_(lattice, normal, precision, leak), n_(lattice.cells.n) {}

  void push(Message& message, std::uint32_t cell, int lane) const;
  [[nodiscard]] std::uint32_t pop(Message& message, int lane) const;
  [[nodiscard]] int precision() const { return window_.precision(); }

 private:
  WindowDist window_;
  std::uint32_t n_;
};
inline void push(Message& message, const LatticeNormal& dist, std::uint32_t cell, int lane = 0) {
  dist.push(message, cell, lane);
}
[[nodiscard]] inline std::uint32_t pop(Message& message, const LatticeNormal& dist, int lane = 0) {
  return dist.pop(message, lane);
}

}  // namespace logpx::codec
