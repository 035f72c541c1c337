// SMILES to molecules and back.
#include "formats/mol/rdkit/compound.hpp"
#include "libcore/mol/molecule.hpp"

#include <GraphMol/MolOps.h>
#include <GraphMol/SanitException.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

struct Parsed {
  std::unique_ptr<RDKit::RWMol> molecule = {};
  std::optional<CompoundTrouble> trouble = {};
};

// What sanitising throws says what is wrong.
template <typename Make>
Parsed without_exceptions(Make make) {
  try {
    std::unique_ptr<RDKit::RWMol> molecule = make();
    if (!molecule) return {.trouble = CompoundTrouble::syntax};
    if (molecule->getNumAtoms() == 0) return {.trouble = CompoundTrouble::empty};
    return {.molecule = std::move(molecule)};
  } catch (const RDKit::KekulizeException&) {
    return {.trouble = CompoundTrouble::kekulize};
  } catch (const RDKit::AtomKekulizeException&) {
    return {.trouble = CompoundTrouble::kekulize};
  } catch (const RDKit::MolSanitizeException&) {
    return {.trouble = CompoundTrouble::valence};
  } catch (const std::exception&) {
    return {.trouble = CompoundTrouble::syntax};
  }
}

Parsed parsed(const std::string& smiles) {
  return without_exceptions(
      [&] { return std::unique_ptr<RDKit::RWMol>(RDKit::SmilesToMol(smiles)); });
}

std::string flat_smiles(RDKit::RWMol& molecule) {
  for (auto* atom : molecule.atoms()) atom->setIsotope(0);
  return RDKit::MolToSmiles(molecule, /*doIsomericSmiles=*/false);
}

// Explicit hydrogens and isotopes vanish only when the text is read again, and so may stereo.
CompoundReading settled(Parsed first) {
  constexpr int tries = 8;
  std::string text;
  for (int i = 0; i < tries && first.molecule; ++i) {
    const std::string next = flat_smiles(*first.molecule);
    if (next == text) break;
    text = next;
    first = parsed(text);
  }
  if (!first.molecule) return {.trouble = first.trouble};
  return {.compound = std::make_shared<RdkitCompound>(std::move(first.molecule), std::move(text))};
}

// By the rule of [data/README 5]: charges are not stored, and two kinds can be told by their bonds.
int restored_charge(const std::string& element, int used) {
  if (element == "N" && used == 4) return 1;
  if (element == "O" && used == 3) return 1;
  return 0;
}

std::vector<int> used_valences(const CompoundGraph& graph) {
  const auto n = std::ssize(graph.atoms);
  std::vector<int> used(graph.atoms.size(), 0);
  for (std::int64_t i = 0, pair = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j, ++pair) {
      const int order = graph.bonds[static_cast<std::size_t>(pair)];
      used[static_cast<std::size_t>(i)] += order;
      used[static_cast<std::size_t>(j)] += order;
    }
  return used;
}

std::unique_ptr<RDKit::RWMol> assembled(const CompoundGraph& graph, ChargeRule rule) {
  auto molecule = std::make_unique<RDKit::RWMol>();
  const std::vector<int> used = used_valences(graph);
  for (std::size_t i = 0; i < graph.atoms.size(); ++i) {
    const AtomType& type = graph.atoms[i];
    RDKit::Atom atom(type.element);
    atom.setFormalCharge(rule == ChargeRule::restored && type.charge == 0
                             ? restored_charge(type.element, used[i])
                             : type.charge);
    if (type.hydrogens > 0) atom.setNumExplicitHs(static_cast<unsigned>(type.hydrogens));
    molecule->addAtom(&atom, /*updateLabel=*/false);
  }
  constexpr RDKit::Bond::BondType kinds[] = {RDKit::Bond::ZERO, RDKit::Bond::SINGLE,
                                             RDKit::Bond::DOUBLE, RDKit::Bond::TRIPLE};
  const auto n = std::ssize(graph.atoms);
  for (std::int64_t i = 0, pair = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j, ++pair)
      if (const auto order = graph.bonds[static_cast<std::size_t>(pair)]; order > 0)
        molecule->addBond(static_cast<unsigned>(i), static_cast<unsigned>(j), kinds[order]);
  RDKit::MolOps::sanitizeMol(*molecule);
  return molecule;
}

}  // namespace

CompoundGraph RdkitCompound::graph() const {
  RDKit::RWMol molecule(*molecule_);
  RDKit::MolOps::Kekulize(molecule, /*markAtomsBonds=*/true);
  CompoundGraph graph;
  const auto n = static_cast<std::int64_t>(molecule.getNumAtoms());
  for (const auto* atom : molecule.atoms())
    graph.atoms.push_back({.element = atom->getSymbol(),
                           .charge = atom->getFormalCharge(),
                           .hydrogens = static_cast<int>(atom->getNumExplicitHs())});
  graph.bonds.resize(static_cast<std::size_t>(pairs_of(n)));
  for (const auto* bond : molecule.bonds()) {
    const auto [low, high] =
        std::minmax<std::int64_t>({bond->getBeginAtomIdx(), bond->getEndAtomIdx()});
    graph.bonds[static_cast<std::size_t>(pair_number(n, low, high))] =
        static_cast<std::uint8_t>(bond->getBondTypeAsDouble());
  }
  return graph;
}

std::int64_t RdkitCompound::heavy_atoms() const {
  return static_cast<std::int64_t>(molecule_->getNumHeavyAtoms());
}

CompoundReading read_smiles(std::string_view smiles) {
  return settled(parsed(std::string(smiles)));
}

CompoundReading make_compound(const CompoundGraph& graph, ChargeRule rule) {
  return settled(without_exceptions([&] { return assembled(graph, rule); }));
}

}  // namespace logpx
