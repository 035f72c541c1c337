// Every molecule that a few atoms can make, each once.   [spec/loarm.md section 10.1]
#pragma once

#include "libcore/mol/molecule.hpp"

#include <span>
#include <vector>

namespace logpx {

// All connected molecules of min to max atoms whose bonds stay within the valences of their atoms'
// types, none of them another one relabelled: by number of atoms, then in the order of their atoms
// and bonds, as canonical() puts them.
[[nodiscard]] std::vector<Molecule> enumerate_molecules(std::span<const int> valences,
                                                        std::int64_t min_atoms,
                                                        std::int64_t max_atoms);

}  // namespace logpx
