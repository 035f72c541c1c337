// Rows and their description inside an artifact: what datasets and samples have in common.
// [data/README 1.1]
#pragma once

#include "formats/artifact.hpp"
#include "libcore/data/dataset.hpp"

#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace logpx {

// The same rows give the same file however they are cut into calls of append(), and however many
// workers compress them.
class RowTableWriter {
 public:
  // Takes element, shape and the columns to come from `info`; an empty shape means no /data/x.
  RowTableWriter(ArtifactWriter& artifact, const DatasetInfo& info, Workers* workers = nullptr);
  void append(const Rows& rows);
  // Writes the description `whole`, which is complete by now, and the columns kept in memory.
  void finish(const DatasetInfo& whole);

 private:
  void append_slice(const Rows& rows, std::int64_t begin, std::int64_t end);
  void write_attributes(const DatasetInfo& info);

  ArtifactWriter* artifact_;
  DatasetInfo info_;
  Workers* workers_;
  ArtifactColumn* x_ = nullptr;
  ArtifactColumn* y_ = nullptr;
  ArtifactColumn* latent_ = nullptr;
  std::vector<std::int32_t> length_;
  std::vector<double> true_logp_;
  std::vector<std::int64_t> source_;
  std::vector<std::string> smiles_;
  std::int64_t rows_ = 0, bundle_rows_ = 0;
};

class RowTableReader {
 public:
  // Checks shapes, ranges and types; `others` are root attributes that are not notes.
  RowTableReader(const ArtifactFile& artifact, std::initializer_list<std::string_view> others);
  ~RowTableReader();
  RowTableReader(const RowTableReader&) = delete;
  RowTableReader& operator=(const RowTableReader&) = delete;

  [[nodiscard]] const DatasetInfo& info() const { return info_; }
  [[nodiscard]] bool has_x() const;
  // Values are checked against the domain as they are read; the error names the row. Once all rows
  // have been read in their order, so is the content hash.
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) const;

 private:
  struct Columns;
  void read_attributes(std::initializer_list<std::string_view> others);
  void open_columns();
  void read_splits();
  void read_names();
  void check_levels() const;
  void check_x(const Rows& rows, std::int64_t begin) const;
  void check_words(const Rows& rows, std::int64_t begin) const;
  void check_molecules(const Rows& rows, std::int64_t begin) const;
  void check_other_columns(const Rows& rows, std::int64_t begin) const;
  void check_content(const Rows& rows, std::int64_t begin) const;

  const ArtifactFile* artifact_;
  DatasetInfo info_;
  std::unique_ptr<Columns> columns_;
};

}  // namespace logpx
