// Molecules as rows of a dataset: the types of the atoms, then the bonds of all pairs i < j of the
// most atoms that a row has room for, row by row. A molecule of fewer atoms, whose number is in
// /data/length, leaves the rest to no_part; the notes of the dataset say what the types are.
// [data/README 5.1]
//
//   DatasetInfo info = molecules_info(AtomTypes::of_elements({"C", "O"}), 6);
//   store_molecule(molecule, rows.values<std::uint8_t>().first(at(info.dims())));
//   const std::string text = molecule_text(molecule_of_row(info, rows, 0), atom_types_of(info));
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/mol/atom_types.hpp"
#include "libcore/mol/molecule.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace logpx {

// Describes rows of molecules of up to `most_atoms` atoms.
[[nodiscard]] DatasetInfo molecules_info(const AtomTypes& types, std::int64_t most_atoms);

// A data error unless rows of molecules have such a shape, element and levels, and notes that say
// what the types of their atoms are.
void check_molecules_info(const DatasetInfo& info);
// The types of atoms; a data error where the notes do not say them.
[[nodiscard]] AtomTypes atom_types_of(const DatasetInfo& info);

void store_molecule(const Molecule& molecule, std::span<std::uint8_t> row);
// The molecule of a row in which no_part stands behind the last atom.
[[nodiscard]] Molecule molecule_in(std::span<const std::uint8_t> row);
[[nodiscard]] Molecule molecule_of_row(const DatasetInfo& info, const Rows& rows, std::int64_t row);
// "" or what is wrong with a row of `atoms` atoms of `types` types: "element 3 holds 7, ...".
[[nodiscard]] std::string trouble_of_molecule(const DatasetInfo& info, std::int64_t types,
                                              std::span<const std::uint8_t> row,
                                              std::int64_t atoms);

// A data error that names both, where two datasets, or a model and its data, differ in atom types.
void require_same_atoms(const DatasetInfo& data, const DatasetInfo& known, const std::string& name);

}  // namespace logpx
