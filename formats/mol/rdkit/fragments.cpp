// Parts of a molecule: those that no bond joins, its scaffold, and what is left when it is cut.
#include "formats/mol/rdkit/compound.hpp"
#include "libcore/base/number_text.hpp"

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/ChemTransforms/MolFragmenter.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>

namespace logpx {
namespace {

std::string brics_text(const RDKit::ROMol& molecule) {
  const std::unique_ptr<RDKit::ROMol> cut(RDKit::MolFragmenter::fragmentOnBRICSBonds(molecule));
  return RDKit::MolToSmiles(*cut);
}

// The rules are made at first use, before threads apply them side by side.
void make_rules_once() {
  static const bool made = [] {
    const std::unique_ptr<RDKit::ROMol> any(RDKit::SmilesToMol("CCOC"));
    return !brics_text(*any).empty();
  }();
  (void)made;
}

constexpr unsigned fewest_rings = 2;

}  // namespace

std::int64_t RdkitCompound::fragments() const { return std::ranges::count(smiles_, '.') + 1; }

std::shared_ptr<const Compound> RdkitCompound::largest_fragment() const {
  std::shared_ptr<const Compound> largest;
  for (const std::string& part : split_text(smiles_, '.')) {
    std::shared_ptr<const Compound> read = read_smiles(part).compound;
    if (!read) continue;
    if (!largest || read->heavy_atoms() > largest->heavy_atoms() ||
        (read->heavy_atoms() == largest->heavy_atoms() && read->smiles() < largest->smiles()))
      largest = std::move(read);
  }
  return largest;
}

std::string RdkitCompound::scaffold() const {
  const std::unique_ptr<RDKit::ROMol> rings(RDKit::MurckoDecompose(*molecule_));
  if (rings->getNumAtoms() == 0) return {};
  rings->clearComputedProps();
  rings->updatePropertyCache();
  RDKit::MolOps::symmetrizeSSSR(*rings);
  if (rings->getRingInfo()->numRings() < fewest_rings) return {};
  return RDKit::MolToSmiles(*rings);
}

std::vector<std::string> RdkitCompound::brics() const {
  make_rules_once();
  return split_text(brics_text(*molecule_), '.');
}

}  // namespace logpx
