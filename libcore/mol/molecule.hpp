// A molecule as a labelled graph: the type of every atom, and the order of the bond between every
// two of them. What the types stand for is said in atom_types.hpp; no chemistry library is needed.
// [data/README 5.1]
//
//   const Molecule methanol{.atoms = {0, 2}, .bonds = {1}};     // without its hydrogens
//   const std::string text = molecule_text(methanol, types);    // "C O  0-1:1"
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class AtomTypes;

// Bonds are none, single, double or triple.
inline constexpr std::int64_t bond_kinds = 4;
// What a row holds where there is no atom or bond, and where one of a partial molecule is not
// known.
inline constexpr std::uint8_t no_part = 255, unknown_part = 254;

[[nodiscard]] constexpr std::int64_t pairs_of(std::int64_t atoms) {
  return atoms * (atoms - 1) / 2;
}
// How many variables a molecule has: its atoms and the pairs of them.
[[nodiscard]] constexpr std::int64_t dims_of_atoms(std::int64_t atoms) {
  return atoms + pairs_of(atoms);
}
// The number of the pair i < j among those of `atoms` atoms, row by row.
[[nodiscard]] constexpr std::int64_t pair_number(std::int64_t atoms, std::int64_t i,
                                                 std::int64_t j) {
  return i * (2 * atoms - i - 1) / 2 + j - i - 1;
}
// The most atoms that have at most `dims` variables.
[[nodiscard]] std::int64_t atoms_within(std::int64_t dims);

// The sums of the orders of each atom's bonds, of all pairs; unknown ones count as no bond.
[[nodiscard]] std::vector<int> used_valences(std::span<const std::uint8_t> bonds,
                                             std::int64_t atoms);

struct Molecule {
  std::vector<std::uint8_t> atoms = {};  // types, [n]
  std::vector<std::uint8_t> bonds = {};  // orders, [n (n-1) / 2]

  [[nodiscard]] std::int64_t size() const { return std::ssize(atoms); }
  // The order of the bond of two different atoms, in any order.
  [[nodiscard]] std::uint8_t bond(std::int64_t i, std::int64_t j) const;
  void set_bond(std::int64_t i, std::int64_t j, std::uint8_t order);
  // The sum of the orders of an atom's bonds; unknown ones count as no bond.
  [[nodiscard]] int used_valence(std::int64_t i) const;
  friend bool operator==(const Molecule&, const Molecule&) = default;
};

// Atom i of the result is atom order[i].
[[nodiscard]] Molecule relabelled(const Molecule& molecule, std::span<const std::int64_t> order);

// "C C O  0-1:1 1-2:2"; what is unknown is a question mark.
[[nodiscard]] std::string molecule_text(const Molecule& molecule, const AtomTypes& types);

}  // namespace logpx
