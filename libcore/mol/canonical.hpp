// Which molecules are the same but for the numbers of their atoms: by refinement of colours, and
// trying out what that leaves open.   [spec/loarm.md section 6.4]
#pragma once

#include "libcore/mol/molecule.hpp"

namespace logpx {

// The molecule with its atoms in an order that does not depend on how they came: equal for two
// molecules exactly if one is the other relabelled. Atoms come by type.
[[nodiscard]] Molecule canonical(const Molecule& molecule);

// How many relabellings leave the molecule as it is. Whole below 2^53, rounded above.
[[nodiscard]] double automorphisms(const Molecule& molecule);

}  // namespace logpx
