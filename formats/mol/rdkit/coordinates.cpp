// Where the atoms of a graph are drawn, and what their letters say.
#include "formats/mol/rdkit/compound.hpp"

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SanitException.h>

#include <new>

namespace logpx {
namespace {

constexpr double bond_length = 1.5;  // of RDKit's pictures

bool is_impossible(RDKit::Atom& atom) {
  try {
    atom.calcExplicitValence(/*strict=*/true);
    return false;
  } catch (const RDKit::MolSanitizeException&) {
    atom.calcExplicitValence(/*strict=*/false);
    return true;
  }
}

// What the library of pictures wants to know, without asking whether it is a molecule.
void prepare(RDKit::RWMol& molecule) {
  molecule.updatePropertyCache(/*strict=*/false);
  unsigned failed = 0;
  RDKit::MolOps::sanitizeMol(molecule, failed,
                             RDKit::MolOps::SANITIZE_SYMMRINGS |
                                 RDKit::MolOps::SANITIZE_SETCONJUGATION |
                                 RDKit::MolOps::SANITIZE_SETHYBRIDIZATION);
}

std::vector<PlanePoint> places_of(RDKit::RWMol& molecule) {
  try {
    prepare(molecule);
    RDDepict::compute2DCoords(molecule, nullptr, /*canonOrient=*/true);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return {};
  }
  std::vector<PlanePoint> places;
  const RDKit::Conformer& conformer = molecule.getConformer();
  for (const auto* atom : molecule.atoms()) {
    const RDGeom::Point3D& place = conformer.getAtomPos(atom->getIdx());
    places.push_back({place.x / bond_length, place.y / bond_length});
  }
  return places;
}

}  // namespace

std::vector<DrawnAtom> drawn_atoms(const CompoundGraph& graph, ChargeRule rule) {
  const std::unique_ptr<RDKit::RWMol> molecule = unchecked_molecule(graph, rule);
  molecule->updatePropertyCache(/*strict=*/false);
  std::vector<DrawnAtom> atoms;
  for (auto* atom : molecule->atoms())
    atoms.push_back({.charge = atom->getFormalCharge(),
                     .hydrogens = static_cast<int>(atom->getTotalNumHs()),
                     .impossible = is_impossible(*atom)});
  std::vector<PlanePoint> places = places_of(*molecule);
  if (places.empty() || !is_readable(places, graph.bonds))
    places = plane_layout(std::ssize(graph.atoms), graph.bonds);
  set_apart(places, graph.bonds);
  for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].place = places[i];
  return atoms;
}

}  // namespace logpx
