// Where to draw the atoms of any graph in the plane, so that distances come close to the numbers of
// bonds between them: for graphs that are no molecules, of which chemistry has no picture.
// [Gansner, Koren, North 2004: stress majorisation]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct PlanePoint {
  double x = 0, y = 0;
};

// In lengths of a bond, the long axis across, the middle at 0. `bonds` holds the orders of all
// pairs i < j, row by row (molecule.hpp); any above 0 is a bond.
[[nodiscard]] std::vector<PlanePoint> plane_layout(std::int64_t atoms,
                                                   std::span<const std::uint8_t> bonds);

// The largest piece of what no bond connects above the others, which stand in a row, so that none
// looks like a part of another. A single piece stays where it is.
void set_apart(std::span<PlanePoint> places, std::span<const std::uint8_t> bonds);

// Whether a picture of these places can be read: no two atoms on each other, no bond very short or
// long.
[[nodiscard]] bool is_readable(std::span<const PlanePoint> places,
                               std::span<const std::uint8_t> bonds);

}  // namespace logpx
