#include "libcore/codec/lattice.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::codec {
namespace {

// The cell that holds x, or the nearest; not-a-number counts as the first.
std::uint32_t cell_of(const Cells& cells, double x) {
  const double place = std::floor((x - cells.lo) / cells.h);
  if (!(place > 0.0)) return 0;
  const auto last = static_cast<double>(cells.n - 1);
  return static_cast<std::uint32_t>(place < last ? place : last);
}

}  // namespace

WindowDist::WindowDist(const Lattice& lattice, const Normal& normal, int precision, Leak leak)
    : cells_(lattice.cells), normal_(normal), precision_(precision), leak_(leak) {
  const std::uint32_t n = cells_.n, window = std::min(lattice.window, n);
  const std::uint32_t centre = cell_of(cells_, normal.mu), half = lattice.window / 2;
  begin_ = std::min(centre > half ? centre - half : 0, n - window);
  end_ = begin_ + window;
  const std::uint32_t leaked = leak == Leak::kept ? 2 * this->n() : 0;
  parts_ = static_cast<double>((1u << precision) - leaked);
}

void LatticeNormal::push(Message& message, std::uint32_t cell, int lane) const {
  std::uint32_t symbol = cell - window_.begin() + window_.below();
  if (cell >= n_) {
    symbol = window_.n();  // no symbol: refused below
  } else if (cell < window_.begin()) {
    message.push_uniform(cell, window_.begin(), lane);
    symbol = 0;
  } else if (cell >= window_.end()) {
    message.push_uniform(cell - window_.end(), n_ - window_.end(), lane);
    symbol = window_.n() - 1;
  }
  codec::push(message, window_, symbol, lane);
}

std::uint32_t LatticeNormal::pop(Message& message, int lane) const {
  const std::uint32_t symbol = codec::pop(message, window_, lane);
  if (symbol < window_.below()) return message.pop_uniform(window_.begin(), lane);
  const std::uint32_t cell = window_.begin() + symbol - window_.below();
  if (cell < window_.end()) return cell;
  return window_.end() + message.pop_uniform(n_ - window_.end(), lane);
}

}  // namespace logpx::codec
