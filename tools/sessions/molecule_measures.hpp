// The numbers of a set of molecules: how many are molecules at all, what they are like, how alike
// they are, and how like those of a test set.
//
//   MoleculeJudge judge(app, options, {std::move(reference), std::move(train), chemnet});
//   const MoleculeMeasures measures = judge.of(judge.columns_of(set));
#pragma once

#include "tools/sessions/molecule_columns.hpp"
#include "tools/sessions/molecule_reference.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class App;
class ChemNetStore;
class Fields;

struct MeasureOptions {
  std::vector<std::string> measures = {"properties", "similarity", "pairs", "pieces", "graphs"};
  std::int64_t most_in_pairs = 20'000, bootstrap = 0;

  void describe(Fields& fields);
  // A usage error for a word that is none of these.
  [[nodiscard]] FactParts parts() const;
};

struct NamedNumber {
  std::string key;  // "sim_pair.path": member `path` of member `sim_pair`
  std::optional<double> value = {};
  std::optional<double> std_error = {};
  std::string unit = "ratio";
  std::optional<std::int64_t> n = {};
};
using NamedNumbers = std::vector<NamedNumber>;
[[nodiscard]] std::optional<double> value_of(const NamedNumbers& measures, const std::string& key);

struct PropertyMeasures {
  std::string name;
  double mean = 0, deviation = 0, low = 0, median = 0, high = 0;  // 5, 50 and 95 %
  NamedNumber wasserstein{.key = "wasserstein"};                  // to the test set
};

struct MoleculeMeasures {
  std::string name = {};
  std::int64_t n = 0, valid = 0, unique = 0, several_fragments = 0;
  NamedNumbers soundness = {};  // validity ... novelty
  std::vector<PropertyMeasures> properties = {};
  NamedNumbers alike = {};    // among themselves
  NamedNumbers against = {};  // the test set
  NamedCounts sizes = {}, rings = {}, valences = {};
  std::map<std::string, std::int64_t> refused = {};
  std::vector<RefusedMolecule> first_refused = {};  // of all
  std::int64_t in_pairs = 0;                        // molecules whose pairs were looked at
  std::optional<double> unknown_share = {};         // of environments that the table of SA lacks
  // Different ones among the first valid, or among all where there are fewer.
  std::optional<std::int64_t> unique_of_1000 = {}, unique_of_10000 = {};
  std::optional<double> divergence_score = {};  // GuacaMol's
};

// What sets are compared with, and by; each may be absent.
struct JudgeParts {
  std::optional<MoleculeReference> reference = {};
  std::optional<std::vector<std::string>> train = {};  // canonical SMILES, sorted
  const ChemNetStore* chemnet = nullptr;
};

class MoleculeJudge {
 public:
  MoleculeJudge(App& app, MeasureOptions options, JudgeParts parts);

  [[nodiscard]] MoleculeColumns columns_of(const MoleculeSet& set) const;
  [[nodiscard]] MoleculeMeasures of(const MoleculeColumns& columns) const;
  [[nodiscard]] const std::optional<MoleculeReference>& reference() const { return reference_; }

 private:
  // What a resample of the rows changes.
  struct Numbers {
    NamedNumbers alike, against, wasserstein;
  };
  [[nodiscard]] Numbers numbers(const MoleculeColumns& columns, const RowList& rows) const;
  [[nodiscard]] NamedNumbers alike(const MoleculeColumns& columns, const RowList& rows) const;
  [[nodiscard]] NamedNumbers against(const MoleculeColumns& columns, const RowList& rows) const;
  [[nodiscard]] NamedNumbers wasserstein(const MoleculeColumns& columns, const RowList& rows) const;
  void add_errors(const MoleculeColumns& columns, Numbers& numbers) const;
  [[nodiscard]] RowList in_pairs(const RowList& rows) const;
  void add_soundness(const MoleculeSet& set, MoleculeMeasures& measures) const;

  App& app_;
  MeasureOptions options_;
  FactParts parts_;
  std::optional<MoleculeReference> reference_;
  std::optional<std::vector<std::string>> train_;
  const ChemNetStore* chemnet_;
};

}  // namespace logpx
