// Molecules as a user has them: a SMILES on each line, a column of a CSV, or graphs in the rows of
// a dataset or of samples.
//
//   const MoleculeSource source(app, "s.smi", {.role = "generated"});
//   for (std::int64_t i = 0; i < source.size(); ++i)
//     if (const MoleculeReading read = source.read(i); read.compound) use(*read.compound);
#pragma once

#include "formats/import/smiles_reader.hpp"
#include "formats/mol/chemistry.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class App;
class SeekableInput;

struct MoleculeAsking {
  std::string role = {};           // in the report: "generated"
  std::string column = {};         // of a CSV; empty: one that is called smiles
  std::string default_split = {};  // of a dataset, where none is named
};

struct MoleculeReading {
  std::shared_ptr<const Compound> compound = {};  // null where there is trouble
  std::string trouble = {};                       // "valence"
  bool strict = false;                            // it is a molecule without restored charges too
};

class MoleculeSource {
 public:
  // Reads the whole file and notes it as an input of the report.
  MoleculeSource(App& app, const std::string& operand, const MoleculeAsking& asking);

  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  [[nodiscard]] std::int64_t size() const;
  // The number of the line in its file, from 1, or of the row, from 0.
  [[nodiscard]] std::int64_t place(std::int64_t i) const;
  [[nodiscard]] bool has_lines() const { return !graphs_; }
  [[nodiscard]] std::string text(std::int64_t i) const;  // as it stands in the file
  // Several threads may call it at once, once chemistry() has been asked for.
  [[nodiscard]] MoleculeReading read(std::int64_t i) const;

 private:
  struct Graphs {
    DatasetInfo info;
    AtomTypes types;
    Rows rows;
    std::int64_t first = 0;
  };
  void read_text(const SeekableInput& input, const std::string& column);
  [[nodiscard]] MoleculeReading read_graph(std::int64_t i) const;

  std::string name_;
  std::vector<SmilesLine> lines_;
  std::optional<Graphs> graphs_;
};

}  // namespace logpx
