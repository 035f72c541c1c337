// How a molecule came about, as samples of models of orders record it: for some of its steps the
// graph before and after, what the policy thought of every part, how sure its value was, and the
// values of the part that was chosen.   [LO-ARM figures 1, 6, 7]
#pragma once

#include "formats/draw/molecule_sheet.hpp"
#include "libcore/mol/atom_types.hpp"
#include "libcore/mol/molecule.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::draw {

// Parts are numbered: atoms, then their pairs i < j, row by row.
struct PathStep {
  std::int64_t number = 1;           // from 1
  std::span<const float> policy;     // p of every part; 0 where it is known
  std::span<const float> entropies;  // nats, of the value of every part
  std::span<const float> values;     // p of every value of the part that was chosen
};

struct MoleculePath {
  Molecule molecule;  // in the end
  AtomTypes types;
  std::span<const std::int32_t> order;  // the part of every step; parts that were given are absent
  std::vector<PathStep> steps;          // to be drawn, one below the other
};

// Atoms stay where they are in the end, so that the frames can be compared.
[[nodiscard]] DrawnSheet path_of_molecule(const MoleculePath& path);

}  // namespace logpx::draw
