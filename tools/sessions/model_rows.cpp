#include "tools/sessions/model_rows.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/file/input.hpp"
#include "formats/file/signature.hpp"
#include "formats/file/suffix.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"

#include <utility>

namespace logpx {
namespace {

bool is_csv(const std::string& path) {
  if (path == "-") return false;
  const std::string promised = promised_format(path);
  return promised == "csv" || promised == "tsv" || path.ends_with(".csv.gz") ||
         path.ends_with(".tsv.gz");
}

// Whether it is a table by its content; of what comes from a pipe all is but a dataset.
bool holds_rows_of_table(const SeekableInput& input, bool piped) {
  ByteSource source(input.path().string());
  const auto first = source.peek(signature_bytes);
  return piped ? !begins_with(first, "\x89HDF") : holds_table(first);
}

}  // namespace

RowsInput::RowsInput(std::string operand) : operand_(std::move(operand)) {
  if (is_csv(operand_)) {
    table_ = std::make_shared<const CsvFile>(operand_);
    return;
  }
  SeekableInput input(parse_dataset_name(operand_).path);
  if (holds_rows_of_table(input, operand_ == "-")) {
    table_ = std::make_shared<const CsvFile>(input.path().string(), input.name());
    return;
  }
  ArtifactFile artifact(std::move(input));
  artifact.require_kind(ArtifactKind::dataset);
  dataset_ = std::make_unique<DatasetFile>(std::move(artifact));
}

ModelRows RowsInput::open(const DatasetInfo& model, const RowsWanted& wanted) {
  ModelRows rows;
  rows.record.role = wanted.role;
  if (table_ != nullptr) {
    rows.table = table_;
    rows.columns = std::make_shared<const TableColumns>(*table_, model, wanted.may_be_absent);
    rows.source = std::make_unique<MemoryRows>(rows.columns->info(), rows.columns->rows());
    rows.chosen = select_rows(rows.source->info(), {operand_, ""}, "", wanted.rows);
    rows.record.path = operand_;
    rows.record.kind = "csv";
    rows.content_hash = table_->source().sha256;
    return rows;
  }
  const DatasetName name = parse_dataset_name(operand_);
  rows.chosen = select_rows(dataset_->info(), name, wanted.split, wanted.rows);
  rows.content_hash = dataset_->content_hash();
  rows.provenance = dataset_->provenance();
  rows.record.path = name.path;
  rows.record.kind = "dataset";
  rows.record.content_hash = rows.content_hash;
  rows.record.provenance = rows.provenance;
  rows.record.rows = std::pair(rows.chosen.begin, rows.chosen.end);
  rows.source = std::move(dataset_);
  return rows;
}

std::string new_word_text(const std::string& word, std::span<const std::string> known) {
  constexpr std::size_t most_words = 20;
  const std::vector<std::string> words(known.begin(), known.end());
  return '\'' + word + "' is new to the model" + did_you_mean(word, words) + ", which knows " +
         (words.size() > most_words ? std::to_string(words.size()) + " words" : join_list(words));
}

void require_known(const ModelRows& rows, const Abilities& can) {
  if (rows.columns == nullptr) return;
  const DatasetInfo& info = rows.columns->info();
  const auto words = info.column_words.by_column(info.dims());
  for (std::int64_t row = rows.chosen.begin; row < rows.chosen.end; ++row)
    for (std::int64_t v = 0; v < info.dims(); ++v) {
      const bool open = can.queries && can.queries->known_at(v) < can.queries->levels_at(v);
      if (open || !rows.columns->is_new(row, v)) continue;
      const std::string& cell = rows.columns->text(row, v);
      fail(ErrorKind::data,
           rows.table->name() + ':' + std::to_string(rows.columns->line(row).number),
           "column " + draw::column_names(info)[at(v)] + ": " +
               (words[at(v)].empty() ? '\'' + cell + "' is new to the model, which knows 0 to " +
                                           std::to_string(info.levels - 1)
                                     : new_word_text(cell, words[at(v)])));
    }
}

}  // namespace logpx
