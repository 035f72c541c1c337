// Molecules of which a part is not known, as rows of a model whose types of atoms have other
// numbers and whose rows have other room.
//
//   const PartialMolecules given = partial_molecules(known, {info, rows, "core.h5"});
//   complete(given.rows, given.known);
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

struct MoleculesAsked {
  const DatasetInfo& info;
  const Rows& rows;
  std::string name;
};

struct PartialMolecules {
  Rows rows;                        // the first of what may be there, where nothing is known
  std::vector<std::uint8_t> known;  // [rows, dims of the model]; 0 also where there is no part
  std::int64_t left_out = 0;        // rows of more atoms than the model knows
};

// A data error that names the row where an atom is none of the model's, and where no row is left.
[[nodiscard]] PartialMolecules partial_molecules(const DatasetInfo& model,
                                                 const MoleculesAsked& asked);

}  // namespace logpx
