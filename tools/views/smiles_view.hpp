// Molecules as lines of SMILES (formats/mol/molecule_lines), on stdout or in a file.
#pragma once

#include "formats/dataset_file.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/data/row_choice.hpp"
#include "tools/frame/app.hpp"

#include <string>

namespace logpx {

enum class MoleculesAs { smiles, graph };
void describe_molecules_as(Fields& fields, MoleculesAs& as);

struct LinesChoice {
  DatasetName name;
  RowChoice rows;
  std::string output;  // empty: stdout
  MoleculesAs as = MoleculesAs::smiles;
};
// Whether lines of SMILES are what is asked for.
[[nodiscard]] bool wants_smiles(App& app, const DatasetInfo& info, const LinesChoice& choice);
// A file gets all rows unless `choice` says which, stdout a hundred.
void show_smiles(App& app, RowSource& source, const LinesChoice& choice);

}  // namespace logpx
