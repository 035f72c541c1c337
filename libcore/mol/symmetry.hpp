// Which atoms of a molecule can be told apart, by refinement of colours, and which of the others a
// relabelling exchanges that keeps the molecule as it is.   [data/README 5.2]
//
//   const Symmetry symmetry(molecule);
//   const Colours colours = symmetry.start();
//   const bool same = symmetry.exchange(colours, 0, 1).has_value();   // atoms 0 and 1
#pragma once

#include "libcore/mol/molecule.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

// Atoms of one colour are a cell; the colour is the number of atoms before the cell, and cells are
// in an order that does not depend on labels. Once all colours differ, the order is settled.
using Colours = std::vector<std::int64_t>;
// Where a relabelling takes each atom.
using AtomImages = std::vector<std::int64_t>;

class Symmetry {
 public:
  // Refers to the molecule.
  explicit Symmetry(const Molecule& molecule);

  // Cells of atoms of one type, refined by their bonds.
  [[nodiscard]] Colours start() const;
  // The atoms of the first cell that has more than one; empty if there is none.
  [[nodiscard]] std::vector<std::int64_t> open_cell(const Colours& colours) const;
  // Puts an atom before the others of its cell.
  [[nodiscard]] Colours with_first(Colours colours, std::int64_t atom) const;
  // A relabelling that keeps the molecule and all colours, and takes `atom` to `other` of the same
  // cell; nothing if there is none.
  [[nodiscard]] std::optional<AtomImages> exchange(const Colours& colours, std::int64_t atom,
                                                   std::int64_t other) const {
    return images(with_first(colours, atom), with_first(colours, other));
  }
  // All colours differ: the atoms in their order.
  [[nodiscard]] std::vector<std::int64_t> order_of(const Colours& colours) const;

 private:
  [[nodiscard]] std::uint8_t bond(std::int64_t i, std::int64_t j) const;
  std::int64_t divide(Colours& colours, std::span<const std::uint64_t> keys) const;
  [[nodiscard]] Colours refined(Colours colours) const;
  [[nodiscard]] std::optional<AtomImages> images(const Colours& from, const Colours& to) const;
  [[nodiscard]] std::optional<AtomImages> settled_images(const Colours& from,
                                                         const Colours& to) const;

  const Molecule& molecule_;
  std::int64_t n_;
  std::vector<std::uint8_t> bonds_;  // [n,n]
};

}  // namespace logpx
