// What a set of generated molecules is compared with: the numbers of a test set, made once and kept
// in a file (logpx-reference(5)).
#pragma once

#include "formats/reference_file.hpp"
#include "tools/sessions/molecule_columns.hpp"

#include <optional>

namespace logpx {

class App;

struct MoleculeReference {
  std::string name = {};          // of the file, for messages
  std::string chemistry = {};     // "RDKit 2022.09.3"
  std::string sa_hash = {};       // of the table of SA; empty without
  std::string chemnet_hash = {};  // of ChemNet's weights; empty without
  FactParts parts = {};
  std::int64_t n = 0;  // lines or rows
  std::int64_t valid = 0;
  std::array<std::vector<double>, property_names.size()> properties = {};  // [valid] each
  std::vector<double> descriptors = {};                                    // [valid, names]
  Fingerprints morgan{bits_of(FingerprintKind::morgan)};
  NamedCounts scaffolds = {}, pieces = {}, sizes = {}, rings = {}, valences = {};
  SparseFeatures neighbourhoods = {};
  // of two or more
  std::optional<Moments> descriptor_moments = {}, environment_moments = {}, chemnet_moments = {};
  // How far two halves of the test set are apart: what is no more than noise.
  std::optional<double> descriptor_floor = {}, environment_floor = {}, chemnet_floor = {};
  std::optional<double> neighbourhood_floor = {};
};

// What a reference is made by besides its molecules.
struct ReferenceMaking {
  FactParts parts = {};
  std::string sa_hash = {}, chemnet_hash = {};  // empty without
};
[[nodiscard]] MoleculeReference reference_of(const MoleculeColumns& test,
                                             const ReferenceMaking& making, App& app);

[[nodiscard]] ReferenceContents contents_of(const MoleculeReference& reference);
// A data error for contents that nobody of us wrote, and for those of another RDKit.
[[nodiscard]] MoleculeReference reference_from(const ReferenceFile& file);

}  // namespace logpx
