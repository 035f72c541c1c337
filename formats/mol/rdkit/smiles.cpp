// SMILES to molecules and back.
#include "formats/mol/rdkit/compound.hpp"

#include <GraphMol/MolOps.h>
#include <GraphMol/SanitException.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <new>
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
  } catch (const std::bad_alloc&) {
    throw;  // says nothing of the molecule
  } catch (const std::exception&) {
    return {.trouble = CompoundTrouble::syntax};
  }
}

Parsed parsed(const std::string& smiles) {
  return without_exceptions(
      [&] { return std::unique_ptr<RDKit::RWMol>(RDKit::SmilesToMol(smiles)); });
}

std::string flat_smiles(RDKit::RWMol& molecule) {
  for (auto* atom : molecule.atoms()) {
    atom->setIsotope(0);
    atom->setAtomMapNum(0);
  }
  return RDKit::MolToSmiles(molecule, /*doIsomericSmiles=*/false);
}

// What may give another text when its own is read again.
bool may_change(const RDKit::RWMol& molecule) {
  for (const auto* atom : molecule.atoms())
    if (atom->getAtomicNum() <= 1 || atom->getIsotope() != 0) return true;
  return false;
}

// Explicit hydrogens and isotopes vanish only when the text is read again.
CompoundReading settled(Parsed first) {
  constexpr int tries = 8;
  std::string text;
  for (int i = 0; i < tries && first.molecule; ++i) {
    const bool last = !may_change(*first.molecule);
    const std::string next = flat_smiles(*first.molecule);
    if (next == text) break;
    text = next;
    first = parsed(text);
    if (last) break;
  }
  if (!first.molecule) return {.trouble = first.trouble};
  return {.compound = std::make_shared<RdkitCompound>(std::move(first.molecule), std::move(text))};
}

// A text that was written by flat_smiles(): its atoms in their order, all that graph_of() asks for.
Parsed parsed_again(const std::string& smiles) {
  return without_exceptions([&] {
    RDKit::SmilesParserParams as_it_is;
    as_it_is.sanitize = false;
    as_it_is.removeHs = false;
    std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(smiles, as_it_is));
    if (molecule) {
      molecule->updatePropertyCache(/*strict=*/false);
      RDKit::MolOps::symmetrizeSSSR(*molecule);
      RDKit::MolOps::Kekulize(*molecule, /*markAtomsBonds=*/true);
    }
    return molecule;
  });
}

bool has_unknown_bond(const RDKit::RWMol& molecule) {
  for (const auto* bond : molecule.bonds()) {
    const auto kind = bond->getBondType();
    const bool known = kind == RDKit::Bond::SINGLE || kind == RDKit::Bond::DOUBLE ||
                       kind == RDKit::Bond::TRIPLE || kind == RDKit::Bond::AROMATIC;
    if (!known) return true;
  }
  return false;
}

PlainCompound plain_of(const CompoundReading& read) {
  if (!read.compound) return {.trouble = read.trouble};
  return {.smiles = read.compound->smiles(), .graph = read.compound->graph()};
}

}  // namespace

CompoundGraph RdkitCompound::graph() const {
  RDKit::RWMol molecule(*molecule_);
  RDKit::MolOps::Kekulize(molecule, /*markAtomsBonds=*/true);
  return graph_of(molecule);
}

std::int64_t RdkitCompound::heavy_atoms() const {
  return static_cast<std::int64_t>(molecule_->getNumHeavyAtoms());
}

CompoundReading read_smiles(std::string_view smiles) {
  return settled(parsed(std::string(smiles)));
}

PlainCompound read_plain_smiles(std::string_view smiles) {
  Parsed first = parsed(std::string(smiles));
  if (!first.molecule) return {.trouble = first.trouble};
  if (has_unknown_bond(*first.molecule)) return {.trouble = CompoundTrouble::bond};
  if (may_change(*first.molecule)) return plain_of(settled(std::move(first)));
  PlainCompound plain{.smiles = flat_smiles(*first.molecule)};
  Parsed again = parsed_again(plain.smiles);
  if (!again.molecule) return {.trouble = again.trouble};
  plain.graph = graph_of(*again.molecule);
  return plain;
}

CompoundReading make_compound(const CompoundGraph& graph, ChargeRule rule) {
  return settled(without_exceptions([&] { return assembled(graph, rule); }));
}

}  // namespace logpx
