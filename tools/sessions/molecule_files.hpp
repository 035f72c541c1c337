// What mol-metrics writes of each molecule: a table, the valid ones as SMILES, features for
// fid-extrapolate, and tables of fragments for SA.
#pragma once

#include "tools/sessions/molecule_set.hpp"

#include <span>
#include <string>
#include <vector>

namespace logpx {

class App;

// What a set knows of its molecules beside the facts.
struct MoleculeBeside {
  const std::vector<std::string>* train = nullptr;  // canonical SMILES, sorted
  std::vector<double> nearest = {};                 // to the test set; empty: unknown
  bool has_sa = false;
};
struct DescribedSet {
  const MoleculeSet* set = nullptr;
  MoleculeBeside beside = {};
};

enum class MoleculeFeatures { none, descriptors, morgan };

// A row for each line or row of the sets, whether a molecule or not, in their order.
void write_each_molecule(App& app, const std::string& path, std::span<const DescribedSet> sets);
// Canonical SMILES of those that are molecules.
void write_valid_molecules(App& app, const std::string& path, std::span<const DescribedSet> sets);
void write_molecule_features(App& app, const std::string& path, const MoleculeSet& set,
                             MoleculeFeatures which);
// A table of SA, of the environments of these molecules.
void write_sa_table(App& app, const std::string& path, const MoleculeSet& set);

}  // namespace logpx
