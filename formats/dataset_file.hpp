// The dataset artifact (logpx-dataset(5)): written row by row, read in any order, named as
// FILE.h5 or FILE.h5:SPLIT.   [data/README 1.1]
//
//   DatasetWriter writer(out, stream.info());
//   for (Rows rows; stream.next(rows);) writer.append(rows);
//   writer.finish(stream.info(), provenance);
//   out.commit();
//
//   DatasetFile file("digits.h5");
//   const Rows rows = file.read(0, 64);
#pragma once

#include "formats/artifact.hpp"
#include "formats/json/value.hpp"
#include "formats/row_table.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/data/row_choice.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx {

class OutputFile;
class Workers;

class DatasetWriter {
 public:
  // Takes element, shape and the columns to come from `info`. Workers compress; the bytes do not
  // depend on them.
  DatasetWriter(OutputFile& out, const DatasetInfo& info, Workers* workers = nullptr);
  void append(const Rows& rows);
  // Writes what `whole` says, closes the file and returns its hash; the caller calls out.commit().
  std::string finish(const DatasetInfo& whole, const Json& provenance);

 private:
  ArtifactWriter artifact_;
  RowTableWriter table_;
  Workers* workers_;
};

class DatasetFile final : public RowSource {
 public:
  explicit DatasetFile(const std::string& source)
      : DatasetFile(ArtifactFile(source, ArtifactKind::dataset)) {}
  explicit DatasetFile(ArtifactFile artifact);

  [[nodiscard]] const DatasetInfo& info() const override { return table_.info(); }
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) override {
    return table_.read(begin, end);
  }
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }

 private:
  ArtifactFile artifact_;
  RowTableReader table_;
};

// "digits.h5:test" is split test of digits.h5, unless there is a file of that whole name. An empty
// split means that none was named.
struct DatasetName {
  std::string path, split;
};
[[nodiscard]] DatasetName parse_dataset_name(const std::string& text);

// A data error that names `name`, where two tables of one shape differ in the names or the order of
// columns, or in the words of a column. A table without names or words fits any.
void require_same_columns(const DatasetInfo& data, const DatasetInfo& known,
                          const std::string& name);

// Rows begin..end-1 of a dataset: the split named, or `default_split` if there is one of that name,
// else all; of these the rows chosen, counted inside the split. An unknown or empty split is a data
// error, rows that are not there a usage error.
struct RowSelection {
  std::int64_t begin = 0, end = 0;
};
[[nodiscard]] RowSelection select_rows(const DatasetInfo& info, const DatasetName& name,
                                       const std::string& default_split, const RowChoice& choice);

}  // namespace logpx
