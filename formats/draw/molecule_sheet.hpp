// Molecules on a sheet, in rows from the top left, all drawn to one scale.
#pragma once

#include "formats/draw/molecule.hpp"

#include <string>
#include <vector>

namespace logpx::draw {

struct MoleculeSheet {
  int columns = 0, rows = 0;               // 0: chosen
  std::vector<std::string> captions = {};  // under each molecule; empty: none
};

struct DrawnSheet {
  std::string svg = {};
  double width = 0, height = 0;  // pixels
  std::int64_t drawn = 0, impossible = 0;
};

// Molecules that do not fit the grid are left out.
[[nodiscard]] DrawnSheet sheet_of_molecules(const std::vector<MoleculePicture>& molecules,
                                            const MoleculeSheet& sheet);

}  // namespace logpx::draw
