// Rows that a model is asked about: of a dataset, or of a table in CSV, whose columns are read as
// the model knows them.
//
//   RowsInput input("new.csv");   // "data.h5:valid", "-"
//   const ModelRows rows = input.open(info, {.role = "dataset", .split = "test"});
//   app.add_input(rows.record);
#pragma once

#include "formats/csv_file.hpp"
#include "formats/dataset_file.hpp"
#include "libcore/data/row_choice.hpp"
#include "libcore/model/abilities.hpp"
#include "tools/frame/app.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct RowsWanted {
  std::string role, split = {};  // of a dataset, unless its operand names another
  RowChoice rows = {};
  std::vector<std::string> may_be_absent = {};  // columns of a table in CSV
};

struct ModelRows {
  std::unique_ptr<RowSource> source = {};
  RowSelection chosen = {};
  FileRecord record = {};
  std::string content_hash = {};
  Json provenance = {};
  // A table, as in its file.
  std::shared_ptr<const CsvFile> table = {};
  std::shared_ptr<const TableColumns> columns = {};
};

class RowsInput {
 public:
  // What it is shows in its name, of stdin in its first bytes.
  explicit RowsInput(std::string operand);

  [[nodiscard]] const DatasetFile* dataset() const { return dataset_.get(); }  // or null
  // Hands over the rows, once.
  [[nodiscard]] ModelRows open(const DatasetInfo& model, const RowsWanted& wanted);

 private:
  std::string operand_;
  std::unique_ptr<DatasetFile> dataset_ = {};
  std::shared_ptr<const CsvFile> table_ = {};
};

// A data error that names a cell of a table in CSV that is new to a model which has no place for
// what is new.
void require_known(const ModelRows& rows, const Abilities& can);
// "'gren' is new to the model (did you mean green?), which knows blue,green,red"
[[nodiscard]] std::string new_word_text(const std::string& word,
                                        std::span<const std::string> known);

}  // namespace logpx
