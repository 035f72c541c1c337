#include "libcore/mol/molecule.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/mol/atom_types.hpp"

#include <cmath>
#include <utility>

namespace logpx {

std::int64_t atoms_within(std::int64_t dims) {
  auto atoms = static_cast<std::int64_t>((std::sqrt(8 * static_cast<double>(dims) + 1) - 1) / 2);
  while (atoms > 0 && dims_of_atoms(atoms) > dims) --atoms;
  while (dims_of_atoms(atoms + 1) <= dims) ++atoms;
  return atoms;
}

std::vector<int> used_valences(std::span<const std::uint8_t> bonds, std::int64_t atoms) {
  std::vector<int> used(at(atoms), 0);
  for (std::int64_t i = 0, pair = 0; i < atoms; ++i)
    for (std::int64_t j = i + 1; j < atoms; ++j, ++pair) {
      const std::uint8_t order = bonds[at(pair)];
      if (order >= bond_kinds) continue;
      used[at(i)] += order;
      used[at(j)] += order;
    }
  return used;
}

std::uint8_t Molecule::bond(std::int64_t i, std::int64_t j) const {
  if (i > j) std::swap(i, j);
  return bonds[at(pair_number(size(), i, j))];
}

void Molecule::set_bond(std::int64_t i, std::int64_t j, std::uint8_t order) {
  if (i > j) std::swap(i, j);
  bonds[at(pair_number(size(), i, j))] = order;
}

int Molecule::used_valence(std::int64_t i) const {
  int used = 0;
  for (std::int64_t j = 0; j < size(); ++j)
    if (j != i && bond(i, j) < bond_kinds) used += bond(i, j);
  return used;
}

Molecule relabelled(const Molecule& molecule, std::span<const std::int64_t> order) {
  LOGPX_ASSERT(std::ssize(order) == molecule.size());
  Molecule made{.atoms = {}, .bonds = molecule.bonds};
  for (const std::int64_t from : order) made.atoms.push_back(molecule.atoms[at(from)]);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      made.bonds[pair++] = molecule.bond(order[i], order[j]);
  return made;
}

std::string molecule_text(const Molecule& molecule, const AtomTypes& types) {
  std::string text;
  for (const std::uint8_t atom : molecule.atoms)
    text += (text.empty() ? "" : " ") + (atom == unknown_part ? "?" : types.name(atom));
  std::string gap = "  ";
  for (std::int64_t i = 0; i < molecule.size(); ++i)
    for (std::int64_t j = i + 1; j < molecule.size(); ++j) {
      const std::uint8_t order = molecule.bond(i, j);
      if (order == 0) continue;
      text += gap + std::to_string(i) + '-' + std::to_string(j) + ':' +
              (order == unknown_part ? "?" : std::to_string(order));
      gap = " ";
    }
  return text;
}

}  // namespace logpx
