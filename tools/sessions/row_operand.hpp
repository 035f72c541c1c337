// Rows of whatever a user has, in stretches of one size: a dataset or samples (FILE.h5[:SPLIT]), a
// folder of pictures, arrays of NumPy, a table.
//
//   RowOperand operand("photos/", {.rows = rows});
//   const auto stream = operand.rows(1024);
//   for (Rows some; stream->next(some);) use(stream->info(), some);
//   app.add_input(operand.record("data"));
#pragma once

#include "formats/import/importer.hpp"
#include "formats/samples_file.hpp"
#include "libcore/data/row_choice.hpp"
#include "tools/frame/app.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

struct OperandReading {
  RowChoice rows = {};
  std::string key = "x";              // of the array in a .npz file
  Reading arrays = Reading::by_rank;  // vector: whatever their rank
  std::string binarise = "none";      // for grey pictures; two levels stay as they are
};

class RowOperand {
 public:
  // Opens a file of logpx; others are opened by rows().
  RowOperand(std::string text, OperandReading reading);

  [[nodiscard]] const std::string& text() const { return text_; }  // as the user wrote it
  // The file of logpx that it is; null for others. Taken: the operand has no rows then.
  [[nodiscard]] bool is_artifact() const { return artifact_ || stored_.rows != nullptr; }
  [[nodiscard]] bool is(ArtifactKind kind) const { return artifact_ && artifact_->kind() == kind; }
  [[nodiscard]] ArtifactFile take_artifact();
  // Whether it is a folder or an archive of pictures.
  [[nodiscard]] bool is_pictures() const { return is_foreign("images"); }

  // All rows from the start, `at_once` at a time; piped input can be read once only. info() has
  // shape and levels from the start. A data error if there are no rows.
  [[nodiscard]] std::unique_ptr<RowStream> rows(std::int64_t at_once);
  // The number of the first row in its dataset or file.
  [[nodiscard]] std::int64_t first_row() const { return first_row_; }
  // For the report, once all rows have been read.
  [[nodiscard]] FileRecord record(const std::string& role) const;
  // The importer's record, likewise.
  [[nodiscard]] const ImportRecord& story() const { return story_; }

 private:
  friend class ForeignRows;
  [[nodiscard]] bool is_foreign(std::string_view format) const {
    return format_ != nullptr && format_->word == format;
  }
  [[nodiscard]] std::unique_ptr<RowStream> stored_rows(std::int64_t at_once);
  std::string text_, path_, split_;
  std::int64_t first_row_ = 0;
  OperandReading reading_;
  std::optional<ArtifactFile> artifact_;
  OpenRows stored_;
  const ImportFormat* format_ = nullptr;  // of a foreign file
  std::optional<Input> input_;            // its first bytes have been looked at
  FileRecord record_;
  ImportRecord story_;
};

}  // namespace logpx
