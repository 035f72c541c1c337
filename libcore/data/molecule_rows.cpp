#include "libcore/data/molecule_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr const char *types_note = "mol_types", *bonds_note = "mol_bonds",
                     *most_note = "mol_atoms_max";

const std::string* find_note(const DatasetInfo& info, const std::string& name) {
  const auto found =
      std::ranges::find_if(info.notes, [&](const auto& note) { return note.first == name; });
  return found == info.notes.end() ? nullptr : &found->second;
}

// Pairs i < j of `atoms` atoms in a row with room for `most`: visit(i, j, element of the row).
template <typename Visit>
void for_each_pair_of(std::int64_t atoms, std::int64_t most, Visit visit) {
  for (std::int64_t i = 0; i < atoms; ++i)
    for (std::int64_t j = i + 1; j < atoms; ++j) visit(i, j, at(most + pair_number(most, i, j)));
}

void expect_note(const DatasetInfo& info, const char* name, std::int64_t expected) {
  const std::string* text = find_note(info, name);
  if (text != nullptr && *text != std::to_string(expected))
    fail(ErrorKind::data, std::string("@") + name,
         "is '" + *text + "', expected " + std::to_string(expected));
}

}  // namespace

DatasetInfo molecules_info(const AtomTypes& types, std::int64_t most_atoms) {
  DatasetInfo info;
  info.content = Content::molecules;
  info.measure = Measure::counting;
  info.element = Element::u8;
  info.shape = {dims_of_atoms(most_atoms)};
  info.levels = std::max(types.size(), bond_kinds);
  info.value_max = static_cast<double>(info.levels - 1);
  info.has_lengths = true;
  info.notes = {{most_note, std::to_string(most_atoms)},
                {bonds_note, std::to_string(bond_kinds)},
                {types_note, types.text()}};
  return info;
}

void check_molecules_info(const DatasetInfo& info) {
  if (info.element != Element::u8 || info.shape.size() != 1)
    fail(ErrorKind::data, "/data/x", "is not rows of u8, which molecules are");
  const std::int64_t most = atoms_within(info.dims());
  if (dims_of_atoms(most) != info.dims())
    fail(ErrorKind::data, "/data/x",
         "has rows of " + std::to_string(info.dims()) + ", which is no n + n (n-1) / 2");
  const AtomTypes types = atom_types_of(info);
  if (info.levels != std::max(types.size(), bond_kinds))
    fail(ErrorKind::data, "@levels",
         "is " + std::to_string(info.levels) + ", but atoms have " + std::to_string(types.size()) +
             " types and bonds " + std::to_string(bond_kinds) + " orders");
  expect_note(info, bonds_note, bond_kinds);
  expect_note(info, most_note, most);
}

AtomTypes atom_types_of(const DatasetInfo& info) {
  const std::string* text = find_note(info, types_note);
  if (text == nullptr) fail(ErrorKind::data, "@mol_types", "is missing");
  try {
    return AtomTypes::parse(*text);
  } catch (const Error& error) {
    throw error.within("@mol_types");
  }
}

void store_molecule(const Molecule& molecule, std::span<std::uint8_t> row) {
  const std::int64_t most = atoms_within(std::ssize(row));
  LOGPX_ASSERT(dims_of_atoms(most) == std::ssize(row) && molecule.size() <= most);
  std::ranges::fill(row, no_part);
  std::ranges::copy(molecule.atoms, row.begin());
  for_each_pair_of(molecule.size(), most, [&](std::int64_t i, std::int64_t j, std::size_t place) {
    row[place] = molecule.bond(i, j);
  });
}

namespace {

Molecule molecule_of(std::span<const std::uint8_t> row, std::int64_t atoms) {
  Molecule molecule{.atoms = {row.begin(), row.begin() + atoms}, .bonds = {}};
  const std::int64_t most = atoms_within(std::ssize(row));
  for_each_pair_of(atoms, most, [&](std::int64_t, std::int64_t, std::size_t place) {
    molecule.bonds.push_back(row[place]);
  });
  return molecule;
}

}  // namespace

Molecule molecule_in(std::span<const std::uint8_t> row) {
  const auto atoms = row.first(at(atoms_within(std::ssize(row))));
  return molecule_of(row, std::ranges::find(atoms, no_part) - atoms.begin());
}

Molecule molecule_of_row(const DatasetInfo& info, const Rows& rows, std::int64_t row) {
  const auto parts = rows.values<std::uint8_t>().subspan(at(row * info.dims()), at(info.dims()));
  return molecule_of(parts, rows.length.empty() ? atoms_within(info.dims()) : rows.length[at(row)]);
}

std::string trouble_of_molecule(const DatasetInfo& info, std::int64_t types,
                                std::span<const std::uint8_t> row, std::int64_t atoms) {
  const std::int64_t most = atoms_within(info.dims());
  std::string trouble;
  const auto expect = [&](std::size_t place, std::int64_t kinds, bool there, const char* what) {
    const std::uint8_t value = row[place];
    const bool fits =
        there ? value < kinds || (info.has_missing && value == unknown_part) : value == no_part;
    if (fits || !trouble.empty()) return;
    trouble = "element " + std::to_string(place) + " holds " + std::to_string(value) +
              ", expected " +
              (there ? std::string(what) + " below " + std::to_string(kinds)
                     : std::to_string(no_part) + " behind the last atom");
  };
  for (std::int64_t i = 0; i < most; ++i) expect(at(i), types, i < atoms, "types of atoms");
  for_each_pair_of(most, most, [&](std::int64_t, std::int64_t j, std::size_t place) {
    expect(place, bond_kinds, j < atoms, "orders of bonds");
  });
  return trouble;
}

void require_same_atoms(const DatasetInfo& data, const DatasetInfo& known,
                        const std::string& name) {
  const auto tells = [](const DatasetInfo& info) {
    return info.content == Content::molecules && find_note(info, types_note) != nullptr;
  };
  if (!tells(data) || !tells(known)) return;
  const AtomTypes here = atom_types_of(data), there = atom_types_of(known);
  if (here == there) return;
  fail(ErrorKind::data, name, "has the atoms " + here.names() + ", expected " + there.names());
}

}  // namespace logpx
