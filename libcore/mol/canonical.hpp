// Which molecules are the same but for the numbers of their atoms: by refinement of colours, and
// by trying what that leaves open.   [data/README 5.2]
#pragma once

#include "libcore/mol/molecule.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

// A molecule with its atoms in an order that does not depend on their numbers; atom i is atom
// order[i] of the molecule that it was made from. Archives of sets hold such molecules, so that the
// form of a molecule may never change.
struct CanonicalForm {
  Molecule molecule;
  std::vector<std::int64_t> order;
};
[[nodiscard]] CanonicalForm canonical_form(const Molecule& molecule);

// Equal for two molecules exactly if one is the other relabelled. Atoms are ordered by type.
[[nodiscard]] inline Molecule canonical(const Molecule& molecule) {
  return canonical_form(molecule).molecule;
}

// How many relabellings leave the molecule as it is. Exact below 2^53, rounded above.
[[nodiscard]] double automorphisms(const Molecule& molecule);
// log(n!/|Aut|): how many different numberings the atoms have.
[[nodiscard]] double log_labellings(const Molecule& molecule);

}  // namespace logpx
