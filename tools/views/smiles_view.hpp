// Molecules as lines of SMILES (formats/mol/molecule_lines), on stdout or in a file.
#pragma once

#include "formats/dataset_file.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/data/row_choice.hpp"
#include "tools/frame/app.hpp"

#include <string>

namespace logpx {

enum class MoleculesAs { smiles, graph };

struct SmilesView {
  MoleculesAs as = MoleculesAs::smiles;

  void describe(Fields& fields);
  struct Asked {
    RowSource& source;
    DatasetName name;
    RowChoice rows;
    std::string output;  // empty: stdout
  };
  // Whether lines of SMILES were asked for, and shown: a file gets all rows unless said otherwise,
  // stdout a hundred.
  [[nodiscard]] bool show(App& app, const Asked& asked) const;
};

}  // namespace logpx
