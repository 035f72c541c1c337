// What is known of each molecule of a set, a column each, as the numbers of libcore/judge take it.
#pragma once

#include "libcore/judge/descriptor_samples.hpp"
#include "libcore/judge/fingerprints.hpp"
#include "libcore/judge/moments.hpp"
#include "libcore/mol/neighbourhood_pairs.hpp"
#include "tools/sessions/molecule_set.hpp"

#include <array>
#include <string>
#include <vector>

namespace logpx {

// Morgan's environments are counted in so many places.
inline constexpr std::int64_t environment_places = 512;

struct MoleculeColumns {
  explicit MoleculeColumns(const MoleculeSet& set);

  [[nodiscard]] std::int64_t n() const { return std::ssize(set->valid); }
  [[nodiscard]] RowList all() const;
  [[nodiscard]] const MoleculeFacts& facts(std::int64_t i) const { return set->valid[at(i)].facts; }
  // Values of a property, of these rows.
  [[nodiscard]] std::vector<double> property(std::size_t which, const RowList& rows) const;
  // log(1 + count) of each place.
  void environments(std::int64_t i, std::span<double> out) const;

  const MoleculeSet* set;           // outlives this
  std::vector<double> descriptors;  // [n, names]
  Fingerprints morgan, path, maccs;
  std::vector<float> chemnet;  // [n, features]; empty without ChemNet
};

// How often each thing occurs in these rows: what some function lists of a molecule.
[[nodiscard]] NamedCounts scaffold_counts(const MoleculeColumns& columns, const RowList& rows);
[[nodiscard]] NamedCounts piece_counts(const MoleculeColumns& columns, const RowList& rows);
[[nodiscard]] NamedCounts size_counts(const MoleculeColumns& columns);     // "9": molecules
[[nodiscard]] NamedCounts ring_counts(const MoleculeColumns& columns);     // "6": rings
[[nodiscard]] NamedCounts valence_counts(const MoleculeColumns& columns);  // "C 4": atoms

// Means and covariances of descriptors, of counts of environments, and of what ChemNet sees. Two
// rows or more.
[[nodiscard]] Moments descriptor_moments(const MoleculeColumns& columns, const RowList& rows);
[[nodiscard]] Moments environment_moments(const MoleculeColumns& columns, const RowList& rows,
                                          Workers& workers);
[[nodiscard]] Moments chemnet_moments(const MoleculeColumns& columns, const RowList& rows,
                                      Workers& workers);
// The mean vector of pairs of neighbourhoods, for NSPDK.
[[nodiscard]] SparseFeatures neighbourhoods(const MoleculeColumns& columns, const RowList& rows,
                                            Workers& workers);
// [rows, environment_places]
[[nodiscard]] std::vector<double> environment_matrix(const MoleculeColumns& columns,
                                                     const RowList& rows);

}  // namespace logpx
