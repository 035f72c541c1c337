// What is asked about: a model that answers queries, and rows some of whose values are missing, of
// a dataset or written on the command line.
//
//   QueryInput input;                          // input.describe(fields)
//   OpenQuery open = input.open(app);
//   open.queries().tables(examples);
#pragma once

#include "libcore/base/fields.hpp"
#include "libcore/data/row_choice.hpp"
#include "libcore/model/queries.hpp"
#include "tools/common/model_store.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class App;

struct OpenQuery {
  LoadedModel loaded;
  std::string family, model_hash;
  std::unique_ptr<RowSource> file = {}, rows = {};  // rows: as the model reads them
  std::int64_t begin = 0, end = 0;                  // those that are asked about

  [[nodiscard]] const Model& model() const { return *loaded.model; }
  [[nodiscard]] const ModelQueries& queries() const { return *loaded.model->queries(); }
};

struct QueryInput {
  std::string model, data, missing_mark = "_";
  std::vector<std::string> text;
  RowChoice rows;
  Weights weights = Weights::best;

  void describe(Fields& fields);
  // Usage errors for operands that do not go together; a model that answers no queries is a data
  // error that names the families that do.
  [[nodiscard]] OpenQuery open(App& app) const;
};

// Texts as rows of such a model; a data error names the character that it does not know.
[[nodiscard]] MemoryRows rows_of_texts(const std::vector<std::string>& texts,
                                       const std::string& missing_mark, const DatasetInfo& model);

}  // namespace logpx
