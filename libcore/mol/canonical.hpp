// Which molecules are the same but for the numbers of their atoms: by refinement of colours, and
// by trying what that leaves open.   [data/README 5.2]
#pragma once

#include "libcore/mol/molecule.hpp"

namespace logpx {

// The molecule with its atoms in an order that does not depend on their numbers: equal for two
// molecules exactly if one is the other relabelled. Atoms are ordered by type.
[[nodiscard]] Molecule canonical(const Molecule& molecule);

// How many relabellings leave the molecule as it is. Exact below 2^53, rounded above.
[[nodiscard]] double automorphisms(const Molecule& molecule);

}  // namespace logpx
