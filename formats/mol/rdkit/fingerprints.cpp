// Rows of bits and counts of neighbourhoods.
#include "formats/mol/rdkit/compound.hpp"

#include <DataStructs/ExplicitBitVect.h>
#include <DataStructs/SparseIntVect.h>
#include <GraphMol/Fingerprints/Fingerprints.h>
#include <GraphMol/Fingerprints/MACCS.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

namespace logpx {
namespace {

constexpr unsigned radius = 2, least_path = 1, most_path = 7;

std::unique_ptr<ExplicitBitVect> maccs_keys(const RDKit::ROMol& molecule) {
  return std::unique_ptr<ExplicitBitVect>(
      RDKit::MACCSFingerprints::getFingerprintAsBitVect(molecule));
}

// The patterns of the keys are made at first use, before threads match them side by side.
void make_keys_once() {
  static const bool made = [] {
    const std::unique_ptr<RDKit::ROMol> any(RDKit::SmilesToMol("C"));
    return maccs_keys(*any) != nullptr;
  }();
  (void)made;
}

std::unique_ptr<ExplicitBitVect> bits_by(const RDKit::ROMol& molecule, FingerprintKind kind) {
  const auto width = static_cast<unsigned>(bits_of(kind));
  switch (kind) {
    case FingerprintKind::morgan:
      return std::unique_ptr<ExplicitBitVect>(
          RDKit::MorganFingerprints::getFingerprintAsBitVect(molecule, radius, width));
    case FingerprintKind::path:
      return std::unique_ptr<ExplicitBitVect>(
          RDKit::RDKFingerprintMol(molecule, least_path, most_path, width));
    case FingerprintKind::maccs: break;
  }
  make_keys_once();
  return maccs_keys(molecule);
}

}  // namespace

Environments RdkitCompound::environments() const {
  const std::unique_ptr<RDKit::SparseIntVect<std::uint32_t>> counts(
      RDKit::MorganFingerprints::getFingerprint(*molecule_, radius));
  Environments all;
  for (const auto& [id, count] : counts->getNonzeroElements()) all.push_back({id, count});
  return all;
}

// RDKit says that a bond of an aromatic ring is of order 1.5.
Molecule RdkitCompound::numbered_graph() const {
  Molecule graph;
  for (const auto* atom : molecule_->atoms())
    graph.atoms.push_back(static_cast<std::uint8_t>(atom->getAtomicNum()));
  graph.bonds.resize(static_cast<std::size_t>(pairs_of(graph.size())));
  for (const auto* bond : molecule_->bonds())
    graph.set_bond(bond->getBeginAtomIdx(), bond->getEndAtomIdx(),
                   static_cast<std::uint8_t>(bond->getBondTypeAsDouble()));
  return graph;
}

std::vector<std::uint64_t> RdkitCompound::fingerprint(FingerprintKind kind) const {
  constexpr unsigned word = 64;
  std::vector<std::uint64_t> words(static_cast<std::size_t>((bits_of(kind) + word - 1) / word));
  IntVect places;
  bits_by(*molecule_, kind)->getOnBits(places);
  for (const int place : places)
    words[static_cast<unsigned>(place) / word] |= std::uint64_t{1}
                                                  << (static_cast<unsigned>(place) % word);
  return words;
}

}  // namespace logpx
