// Every molecule that a few atoms can make, each once.   [data/README 5.3]
#pragma once

#include "libcore/mol/molecule.hpp"

#include <span>
#include <vector>

namespace logpx {

// All connected molecules of min to max atoms whose bonds stay within the valences of their atoms'
// types, each once up to relabelling: by number of atoms, then by atoms and bonds, as canonical()
// orders them.
[[nodiscard]] std::vector<Molecule> enumerate_molecules(std::span<const int> valences,
                                                        std::int64_t min_atoms,
                                                        std::int64_t max_atoms);

}  // namespace logpx
