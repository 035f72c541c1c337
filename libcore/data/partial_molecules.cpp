#include "libcore/data/partial_molecules.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::uint8_t no_such_type = no_part;

// For each type of the data its number in the model.
std::vector<std::uint8_t> numbers_in(const AtomTypes& model, const AtomTypes& data) {
  std::vector<std::uint8_t> numbers;
  for (std::int64_t i = 0; i < data.size(); ++i)
    numbers.push_back(model.find(data[i]).value_or(no_such_type));
  return numbers;
}

void add_row(const Molecule& molecule, std::size_t width, PartialMolecules& made) {
  const std::size_t begin = made.rows.x.size();
  made.rows.x.resize(begin + width);
  const auto x = made.rows.values<std::uint8_t>().subspan(begin, width);
  store_molecule(molecule, x);
  for (std::uint8_t& part : x) {
    made.known.push_back(part < unknown_part ? 1 : 0);
    if (part == unknown_part) part = 0;
  }
  made.rows.length.push_back(static_cast<std::int32_t>(molecule.size()));
  ++made.rows.count;
}

}  // namespace

PartialMolecules partial_molecules(const DatasetInfo& model, const MoleculesAsked& asked) {
  const AtomTypes types = atom_types_of(asked.info), known_types = atom_types_of(model);
  const std::vector<std::uint8_t> numbers = numbers_in(known_types, types);
  const std::int64_t most = longest_example(model);
  PartialMolecules made;
  for (std::int64_t row = 0; row < asked.rows.count; ++row) {
    Molecule molecule = molecule_of_row(asked.info, asked.rows, row);
    if (molecule.size() > most) {
      ++made.left_out;
      continue;
    }
    for (std::uint8_t& atom : molecule.atoms) {
      if (atom == unknown_part) continue;
      if (numbers[atom] == no_such_type)
        fail(ErrorKind::data, asked.name,
             "row " + std::to_string(row) + " has the atom " + types.name(atom) +
                 ", and the model knows " + known_types.names());
      atom = numbers[atom];
    }
    add_row(molecule, at(model.dims()), made);
  }
  if (made.rows.count == 0)
    fail(ErrorKind::data, asked.name,
         "has no molecule of up to " + std::to_string(most) +
             " atoms, the most that the model knows");
  return made;
}

}  // namespace logpx
