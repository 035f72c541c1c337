// The numberings of a molecule's atoms, drawn one atom after the other: at each step atoms that a
// symmetry exchanges count as one, so that each of its n!/|Aut| relabellings comes up in one way
// alone.   [data/README 5.2]
//
//   Numbering numbering(molecule);
//   while (numbering.left() > 0) numbering.take(numbering.alike(draw(numbering.left())).front());
//   const Molecule drawn = relabelled(molecule, numbering.order());
#pragma once

#include "libcore/mol/symmetry.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class Numbering {
 public:
  // Refers to the molecule.
  explicit Numbering(const Molecule& molecule);
  // How many atoms have no number yet.
  [[nodiscard]] std::uint32_t left() const { return static_cast<std::uint32_t>(left_.size()); }
  // Where among those, in ascending order, the atoms are that a symmetry exchanges with the one at
  // this place, while all atoms that have a number stay; itself included.
  [[nodiscard]] std::vector<std::uint32_t> alike(std::uint32_t place) const;
  // Gives the atom at this place the next number.
  void take(std::uint32_t place);
  // The atoms by their numbers.
  [[nodiscard]] const std::vector<std::int64_t>& order() const { return order_; }

  // The atoms at `place` and at `other` are alike, and `order` goes on with the first of them: an
  // order that goes on with the other one and gives the same molecule.
  [[nodiscard]] std::vector<std::int64_t> exchanged(std::vector<std::int64_t> order,
                                                    std::uint32_t place, std::uint32_t other) const;
  [[nodiscard]] std::uint32_t place_of(std::int64_t atom) const;

 private:
  Symmetry symmetry_;
  Colours colours_;                 // atoms with a number have one of their own
  std::vector<std::int64_t> left_;  // ascending
  std::vector<std::int64_t> order_;
};

// A step of Numbering, for whoever undoes it: how many atoms were left, and where the atoms were
// that it could have taken.
struct NumberingStep {
  std::uint32_t left = 0;
  std::vector<std::uint32_t> alike = {};
};
// The steps that number a molecule's atoms so that `relabelled(molecule, order)` comes out.
[[nodiscard]] std::vector<NumberingStep> steps_of_numbering(const Molecule& molecule,
                                                            std::vector<std::int64_t> order);

}  // namespace logpx
