// A molecule of RDKit behind the functions of Compound; each part of them has a file of its own.
#pragma once

#include "formats/mol/chemistry.hpp"

#include <GraphMol/RWMol.h>

namespace logpx {

class RdkitCompound final : public Compound {
 public:
  explicit RdkitCompound(std::unique_ptr<RDKit::RWMol> molecule, std::string smiles)
      : molecule_(std::move(molecule)), smiles_(std::move(smiles)) {}

  // smiles.cpp
  [[nodiscard]] std::string smiles() const override { return smiles_; }
  [[nodiscard]] CompoundGraph graph() const override;
  [[nodiscard]] std::int64_t heavy_atoms() const override;

  // descriptors.cpp
  [[nodiscard]] QedInputs qed_inputs() const override;
  [[nodiscard]] SyntheticInputs synthetic_inputs() const override;
  [[nodiscard]] std::vector<double> descriptors() const override;
  [[nodiscard]] std::vector<std::int64_t> ring_sizes() const override;
  [[nodiscard]] std::int64_t centres() const;  // counted once

  // fingerprints.cpp
  [[nodiscard]] Molecule numbered_graph() const override;
  [[nodiscard]] Environments environments() const override;
  [[nodiscard]] std::vector<std::uint64_t> fingerprint(FingerprintKind kind) const override;

  // fragments.cpp
  [[nodiscard]] std::int64_t fragments() const override;
  [[nodiscard]] std::shared_ptr<const Compound> largest_fragment() const override;
  [[nodiscard]] std::string scaffold() const override;
  [[nodiscard]] std::vector<std::string> brics() const override;

 private:
  std::unique_ptr<RDKit::RWMol> molecule_;  // sanitised, its atoms in the order of smiles_
  std::string smiles_;
  mutable std::int64_t centres_ = -1;  // chiral or possibly so; -1: not counted yet
};

[[nodiscard]] CompoundReading read_smiles(std::string_view smiles);
[[nodiscard]] PlainCompound read_plain_smiles(std::string_view smiles);
[[nodiscard]] std::string isomeric_smiles(std::string_view smiles);  // spelling.cpp
[[nodiscard]] CompoundReading make_compound(const CompoundGraph& graph, ChargeRule rule);

// coordinates.cpp
[[nodiscard]] std::vector<DrawnAtom> drawn_atoms(const CompoundGraph& graph, ChargeRule rule);

// graph.cpp
// The graph of a molecule whose rings are of single and double bonds; changes how its atoms tell
// their hydrogens. Bonds that are not of order 1, 2 or 3 count as the next of these.
[[nodiscard]] CompoundGraph graph_of(RDKit::RWMol& molecule);
// Put together, and nothing more.
[[nodiscard]] std::unique_ptr<RDKit::RWMol> unchecked_molecule(const CompoundGraph& graph,
                                                               ChargeRule rule);
// Sanitised. What RDKit throws where there is no such molecule goes through.
[[nodiscard]] std::unique_ptr<RDKit::RWMol> assembled(const CompoundGraph& graph, ChargeRule rule);

}  // namespace logpx
