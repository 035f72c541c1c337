// The lines of bonds: one, two or three, and on which side of it the second line of a double bond
// lies.
#pragma once

#include "libcore/mol/plane_layout.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::draw {

struct BondLine {
  PlanePoint from, to;
};

struct BondedAtoms {
  std::span<const PlanePoint> places;
  std::span<const std::uint8_t> bonds;  // of all pairs i < j

  [[nodiscard]] std::int64_t order(std::size_t i, std::size_t j) const;  // 0 where unknown
  [[nodiscard]] std::vector<std::size_t> neighbours(std::size_t i) const;
};

// In lengths of a bond. A second line lies inside a ring, or where more of the neighbours are; both
// lie beside the middle where neither side has more.
[[nodiscard]] std::vector<BondLine> lines_of_bond(const BondedAtoms& atoms, std::size_t i,
                                                  std::size_t j);

}  // namespace logpx::draw
