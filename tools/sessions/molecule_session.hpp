// One run of mol-metrics: its inputs read, its sets measured, what was asked for written.
#pragma once

#include "formats/mol/sa_table.hpp"
#include "libcore/base/fields.hpp"
#include "tools/sessions/chemnet_store.hpp"
#include "tools/sessions/molecule_benchmark.hpp"
#include "tools/sessions/molecule_files.hpp"
#include "tools/sessions/molecule_measures.hpp"

#include <optional>
#include <string>
#include <vector>

namespace logpx {

class App;

struct MoleculeOptions {
  std::vector<std::string> sets;
  std::string train, test, column, sa_table, fcd;
  std::string output, valid_out, per_molecule;
  bool make_reference = false, build_sa_table = false;
  MoleculeFeatures features = MoleculeFeatures::none;
  Benchmark table = Benchmark::none;
  MeasureOptions measures;

  void describe(Fields& fields);
  void check() const;
};

class MoleculeSession {
 public:
  MoleculeSession(App& app, const MoleculeOptions& options);
  void say_plan();  // for --dry-run
  void run();

 private:
  void open_table();
  [[nodiscard]] MoleculeReference as_reference(const MoleculeSet& set);
  [[nodiscard]] MoleculeSet read(const std::string& operand, const std::string& role);
  [[nodiscard]] std::optional<MoleculeReference> read_reference();
  [[nodiscard]] std::optional<std::vector<std::string>> read_train();
  void require_parts(const MoleculeReference& reference) const;
  void judge();
  void report(const MoleculeJudge& judge, std::vector<MoleculeMeasures> measures);
  void warn_of(const MoleculeMeasures& measures);
  void write_reference_of(const MoleculeSet& set);
  void write_table();

  App& app_;
  const MoleculeOptions& options_;
  FactParts parts_;
  std::optional<SaTable> table_;
  std::optional<ChemNetStore> chemnet_;
};

}  // namespace logpx
