// What queries ask about: a model, and rows with missing values from a dataset, a CSV table or the
// command line; or the model alone.
//
//   QueryInput input;                          // input.describe(fields)
//   OpenQuery open = input.open_model(app);
//   input.add_rows(app, open, {});
//   const ValueTables tables = open.queries().tables(open.queries().observed(examples));
#pragma once

#include "formats/csv_file.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/data/row_choice.hpp"
#include "tools/sessions/given_values.hpp"
#include "tools/store/model_store.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class App;

struct OpenQuery {
  std::shared_ptr<LoadedModel> loaded;
  std::string family, model_hash;
  std::unique_ptr<RowSource> file = {}, rows = {};  // rows: as the model reads them
  std::int64_t begin = 0, end = 1;                  // the rows that are asked about
  Evidence unknown = {};                            // in place of rows, where there are none
  std::optional<DatasetInfo> samples = {};          // if longer or shorter than the model's rows
  // 1 for values that stay in every row; empty: all that are not missing.
  std::vector<std::uint8_t> known = {};
  // What --given says of every row, and the event that --query probability asks about; or null.
  std::shared_ptr<const GivenValues> given = {}, event = {};
  // A table, as in its file.
  std::shared_ptr<const CsvFile> table = {};
  std::shared_ptr<const TableColumns> columns = {};

  [[nodiscard]] const ModelInfo& model() const { return loaded->can.info(); }
  [[nodiscard]] const ModelQueries& queries() const { return *loaded->can.queries; }
  [[nodiscard]] const DatasetInfo& info() const {
    if (rows) return rows->info();
    return samples ? *samples : model().samples;
  }
  // A value of a row, as its file has it.
  [[nodiscard]] std::string value_text(std::int64_t row, std::int64_t place) const;
  // Reads conditions on columns; a usage error where the model cannot sum over them.
  void take_given(const std::vector<std::string>& texts, const std::string& asked);
  // Opens the same model with all rows of a dataset or table.
  [[nodiscard]] OpenQuery with_rows(App& app, const std::string& path,
                                    const std::string& role) const;
};

struct QueryInput {
  std::string model, data, known, missing_mark = "_";
  std::vector<std::string> text;
  RowChoice rows;
  Weights weights = Weights::best;

  void describe(Fields& fields);
  [[nodiscard]] bool names_rows() const { return !data.empty() || !text.empty(); }
  // Throws a data error that names the families that answer queries, if this model is of another.
  [[nodiscard]] OpenQuery open_model(App& app, const std::string& role = "model") const;
  // Throws usage errors for operands that do not go together. A table in CSV may lack columns of
  // these names.
  void add_rows(App& app, OpenQuery& open, const std::vector<std::string>& may_be_absent) const;
  // A row without values; length 0: as long as rows of training.
  void add_unknown(OpenQuery& open, std::int64_t length) const;
};

// Texts as rows of a model; a data error names an unknown character.
[[nodiscard]] MemoryRows rows_of_texts(const std::vector<std::string>& texts,
                                       const std::string& missing_mark, const DatasetInfo& model);

}  // namespace logpx
