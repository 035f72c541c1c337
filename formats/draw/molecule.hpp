// A molecule, or a part of one that is known so far, drawn as chemists draw it: bonds as lines,
// letters for all atoms but carbon.
//
//   MoleculePicture picture = picture_of(molecule, types);
//   draw_molecule(svg, {0, 0, 160, 120}, picture, {.bond = 24});
#pragma once

#include "formats/draw/svg.hpp"
#include "libcore/mol/atom_types.hpp"
#include "libcore/mol/molecule.hpp"
#include "libcore/mol/plane_layout.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::draw {

struct PicturedAtom {
  PlanePoint place = {};  // in lengths of a bond, y upwards
  std::string element = {};
  int charge = 0, hydrogens = 0;
  bool known = true;        // else it is an x
  bool impossible = false;  // more bonds than such an atom can have: a dashed ring around it
};

struct MoleculePicture {
  std::vector<PicturedAtom> atoms = {};
  std::vector<std::uint8_t> bonds = {};  // orders of all pairs i < j; unknown ones are not drawn

  [[nodiscard]] bool is_impossible() const;
  // Across and down, in lengths of a bond, with room for letters.
  [[nodiscard]] PlanePoint extent() const;
};

// Places, charges and hydrogens are those of chemistry(), which this asks.
[[nodiscard]] MoleculePicture picture_of(const Molecule& molecule, const AtomTypes& types);

enum class Letters { most, all };  // all: those of carbon, too, and no hydrogens

struct MoleculeLook {
  double bond = 24;  // pixels; less where the molecule would not fit
  Letters letters = Letters::most;
  std::int64_t marked = -1;  // a dim in another colour: an atom, or after them a pair
};

// In the middle of the box.
void draw_molecule(Svg& svg, const SvgBox& box, const MoleculePicture& picture,
                   const MoleculeLook& look);

}  // namespace logpx::draw
