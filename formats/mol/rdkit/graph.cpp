// Molecules as graphs of typed atoms, and back.
#include "formats/mol/rdkit/compound.hpp"
#include "libcore/mol/molecule.hpp"

#include <GraphMol/MolOps.h>

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

// How the hydrogens of an atom are told: by number only where bonds and charge would give another.
int told_hydrogens(RDKit::Atom& atom) {
  if (!atom.getNoImplicit()) return usual_hydrogens;
  const auto there = static_cast<int>(atom.getNumExplicitHs());
  atom.setNoImplicit(false);
  atom.setNumExplicitHs(0);
  atom.setNumRadicalElectrons(0);
  (void)atom.calcExplicitValence(false);
  if (atom.calcImplicitValence(false) == there) return usual_hydrogens;
  return there == 0 ? no_hydrogens : there;
}

RDKit::Atom made_atom(const AtomType& type, int used, ChargeRule rule) {
  RDKit::Atom atom(type.element);
  const bool by_bonds = rule == ChargeRule::restored && type.charge == 0;
  atom.setFormalCharge(by_bonds ? charge_told_by_bonds(type.element, used) : type.charge);
  if (type.hydrogens == usual_hydrogens) return atom;
  atom.setNoImplicit(true);
  if (type.hydrogens > 0) atom.setNumExplicitHs(static_cast<unsigned>(type.hydrogens));
  return atom;
}

}  // namespace

CompoundGraph graph_of(RDKit::RWMol& molecule) {
  CompoundGraph graph;
  const auto n = static_cast<std::int64_t>(molecule.getNumAtoms());
  graph.bonds.resize(static_cast<std::size_t>(pairs_of(n)));
  for (const auto* bond : molecule.bonds()) {
    const auto [low, high] =
        std::minmax<std::int64_t>({bond->getBeginAtomIdx(), bond->getEndAtomIdx()});
    graph.bonds[static_cast<std::size_t>(pair_number(n, low, high))] =
        static_cast<std::uint8_t>(std::clamp(std::ceil(bond->getBondTypeAsDouble()), 1.0, 3.0));
  }
  for (auto* atom : molecule.atoms())
    graph.atoms.push_back({.element = atom->getSymbol(),
                           .charge = atom->getFormalCharge(),
                           .hydrogens = told_hydrogens(*atom)});
  return graph;
}

std::unique_ptr<RDKit::RWMol> unchecked_molecule(const CompoundGraph& graph, ChargeRule rule) {
  auto molecule = std::make_unique<RDKit::RWMol>();
  const std::vector<int> used = used_valences(graph.bonds, std::ssize(graph.atoms));
  for (std::size_t i = 0; i < graph.atoms.size(); ++i) {
    RDKit::Atom atom = made_atom(graph.atoms[i], used[i], rule);
    molecule->addAtom(&atom, /*updateLabel=*/false);
  }
  constexpr RDKit::Bond::BondType kinds[] = {RDKit::Bond::ZERO, RDKit::Bond::SINGLE,
                                             RDKit::Bond::DOUBLE, RDKit::Bond::TRIPLE};
  const auto n = std::ssize(graph.atoms);
  for (std::int64_t i = 0, pair = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j, ++pair)
      if (const auto order = graph.bonds[static_cast<std::size_t>(pair)]; order > 0)
        molecule->addBond(static_cast<unsigned>(i), static_cast<unsigned>(j), kinds[order]);
  return molecule;
}

std::unique_ptr<RDKit::RWMol> assembled(const CompoundGraph& graph, ChargeRule rule) {
  std::unique_ptr<RDKit::RWMol> molecule = unchecked_molecule(graph, rule);
  RDKit::MolOps::sanitizeMol(*molecule);
  return molecule;
}

}  // namespace logpx
