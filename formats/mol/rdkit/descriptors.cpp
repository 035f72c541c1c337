// Numbers that chemists ask for.
#include "formats/mol/rdkit/compound.hpp"
#include "formats/mol/rdkit/qed_patterns.hpp"
#include "formats/mol/rdkit/smarts_needs.hpp"

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include <algorithm>
#include <array>
#include <span>

namespace logpx {
namespace {

namespace numbers = RDKit::Descriptors;
struct Pattern {
  explicit Pattern(const char* smarts) : molecule(RDKit::SmartsToMol(smarts)), needs(smarts) {}
  std::unique_ptr<const RDKit::ROMol> molecule;
  SmartsNeeds needs;
};

std::vector<Pattern> patterns(std::span<const char* const> all) {
  std::vector<Pattern> made;
  for (const char* const smarts : all) made.emplace_back(smarts);
  return made;
}

// Made once, before any thread matches them; so are the tables that RDKit makes at first use.
struct QedPatterns {
  std::vector<Pattern> acceptors = patterns(qed_acceptors()), alerts = patterns(qed_alerts());
  Pattern aliphatic{qed_aliphatic()};

  QedPatterns() {
    const std::unique_ptr<RDKit::ROMol> any(RDKit::SmilesToMol("OC(=O)c1ccccc1"));
    double logp = 0, refractivity = 0;
    numbers::calcCrippenDescriptors(*any, logp, refractivity);
    (void)numbers::calcTPSA(*any);
    (void)numbers::calcLabuteASA(*any);
    (void)numbers::calcNumHBD(*any);
    (void)numbers::calcNumHBA(*any);
    (void)numbers::calcNumAmideBonds(*any);
    (void)numbers::calcNumRotatableBonds(*any, numbers::Strict);
  }
};

const QedPatterns& qed_patterns() {
  static const QedPatterns made;
  return made;
}

std::int64_t matches(const RDKit::ROMol& molecule, const RDKit::ROMol& wanted) {
  std::vector<RDKit::MatchVectType> found;
  return RDKit::SubstructMatch(molecule, wanted, found);
}

bool matches_once(const RDKit::ROMol& molecule, const RDKit::ROMol& wanted) {
  RDKit::MatchVectType found;
  return RDKit::SubstructMatch(molecule, wanted, found);
}

std::int64_t rings_without_aliphatic(const RDKit::ROMol& molecule) {
  const std::unique_ptr<RDKit::ROMol> rest(
      RDKit::deleteSubstructs(molecule, *qed_patterns().aliphatic.molecule));
  return RDKit::MolOps::findSSSR(*rest);
}

// Atoms whose neighbours differ enough to be arranged in two ways.
std::int64_t possible_centres(const RDKit::ROMol& molecule) {
  RDKit::ROMol copy(molecule);
  RDKit::MolOps::assignStereochemistry(copy, /*cleanIt=*/false, /*force=*/true,
                                       /*flagPossibleStereoCenters=*/true);
  std::int64_t count = 0;
  for (const auto* atom : copy.atoms())
    count += atom->hasProp(RDKit::common_properties::_CIPCode) ||
             atom->hasProp(RDKit::common_properties::_ChiralityPossible);
  return count;
}

constexpr std::array counted_elements = {6, 7, 8, 9, 15, 16, 17, 35, 53};  // C N O F P S Cl Br I
constexpr std::array counted_bonds = {RDKit::Bond::SINGLE, RDKit::Bond::DOUBLE, RDKit::Bond::TRIPLE,
                                      RDKit::Bond::AROMATIC};

void append_counts(const RDKit::ROMol& molecule, std::vector<double>& values) {
  for (const int number : counted_elements) {
    double count = 0;
    for (const auto* atom : molecule.atoms()) count += atom->getAtomicNum() == number;
    values.push_back(count);
  }
  for (const auto kind : counted_bonds) {
    double count = 0;
    for (const auto* bond : molecule.bonds()) count += bond->getBondType() == kind;
    values.push_back(count);
  }
}

}  // namespace

QedInputs RdkitCompound::qed_inputs() const {
  const QedPatterns& known = qed_patterns();
  const RDKit::ROMol& molecule = *molecule_;
  QedInputs in{.weight = numbers::calcAMW(molecule),
               .logp = numbers::calcClogP(molecule),
               .donors = numbers::calcNumHBD(molecule),
               .polar_area = numbers::calcTPSA(molecule),
               .rotatable_bonds = numbers::calcNumRotatableBonds(molecule, numbers::Strict),
               .aromatic_rings = rings_without_aliphatic(molecule)};
  const MoleculeParts parts = parts_of(molecule);
  for (const Pattern& one : known.acceptors)
    if (one.needs.met_by(parts)) in.acceptors += matches(molecule, *one.molecule);
  for (const Pattern& one : known.alerts)
    if (one.needs.met_by(parts)) in.alerts += matches_once(molecule, *one.molecule);
  return in;
}

SyntheticInputs RdkitCompound::synthetic_inputs() const {
  return {.atoms = static_cast<std::int64_t>(molecule_->getNumAtoms()),
          .centres = centres(),
          .spiro_atoms = numbers::calcNumSpiroAtoms(*molecule_),
          .bridgeheads = numbers::calcNumBridgeheadAtoms(*molecule_),
          .has_macrocycle =
              std::ranges::any_of(ring_sizes(), [](std::int64_t size) { return size > 8; })};
}

std::vector<double> RdkitCompound::descriptors() const {
  (void)qed_patterns();
  const RDKit::ROMol& m = *molecule_;
  const auto count = [](unsigned number) { return static_cast<double>(number); };
  double logp = 0, refractivity = 0;
  numbers::calcCrippenDescriptors(m, logp, refractivity);
  std::vector<double> values = {numbers::calcAMW(m),
                                count(m.getNumHeavyAtoms()),
                                logp,
                                refractivity,
                                numbers::calcTPSA(m),
                                count(numbers::calcNumHBA(m)),
                                count(numbers::calcNumHBD(m)),
                                count(numbers::calcNumRotatableBonds(m, numbers::Strict)),
                                count(numbers::calcNumRings(m)),
                                count(numbers::calcNumAromaticRings(m)),
                                count(numbers::calcNumAliphaticRings(m)),
                                count(numbers::calcNumSaturatedRings(m)),
                                count(numbers::calcNumHeterocycles(m)),
                                count(numbers::calcNumSpiroAtoms(m)),
                                count(numbers::calcNumBridgeheadAtoms(m)),
                                numbers::calcFractionCSP3(m),
                                count(numbers::calcNumAmideBonds(m)),
                                static_cast<double>(centres())};
  append_counts(m, values);
  values.push_back(numbers::calcLabuteASA(m));
  return values;
}

std::int64_t RdkitCompound::centres() const {
  if (centres_ < 0) centres_ = possible_centres(*molecule_);
  return centres_;
}

std::vector<std::int64_t> RdkitCompound::ring_sizes() const {
  std::vector<std::int64_t> sizes;
  for (const auto& ring : molecule_->getRingInfo()->atomRings()) sizes.push_back(std::ssize(ring));
  std::ranges::sort(sizes);
  return sizes;
}

}  // namespace logpx
