// Tables of numbers as vectors, pixels or symbols.
#include "formats/import/array.hpp"
#include "formats/import/coded_table.hpp"
#include "formats/import/csv_records.hpp"
#include "formats/import/csv_rows.hpp"
#include "formats/import/csv_table.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/missing_words.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace logpx {
namespace {

class CsvImporter final : public Importer {
 public:
  CsvImporter(Inputs inputs, const ImportOptions& options)
      : options_(options), rows_(std::move(inputs), options_) {
    const bool coded = !options.categorical.empty();
    if (!coded) info_ = info_of(rows_.chosen().size());
    info_.has_labels = !options.label_column.empty();
    info_.has_missing = options.missing == Missing::keep;
    info_.has_source_rows = options.missing == Missing::drop_row;
    if (coded) code_cells();
    if (info_.is_table()) info_.column_names = rows_.columns().names(rows_.chosen());
  }

  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    if (coded_) {
      rows = next_coded();
    } else {
      while (rows.x.size() < RowStream::chunk_bytes && rows_.next()) take_record(rows);
      info_.n += rows.count;
    }
    if (rows.count > 0) return true;
    if (info_.n == 0) fail(ErrorKind::data, rows_.first_file(), "no rows");
    info_.has_source_rows = dropped_ > 0;
    info_.label_names = labels_.names();
    return false;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    rows_.finish(record_);
    leave_out(dropped_, "row with missing values", "rows with missing values");
    return std::move(record_);
  }

 private:
  [[nodiscard]] DatasetInfo info_of(std::size_t width) const {
    ArrayLayout layout;
    layout.type = NumberType::f64;
    layout.sizes = {1, static_cast<std::int64_t>(width)};
    DatasetInfo info = describe_rows(layout, options_, rows_.first_file());
    if (info.content == Content::symbols && options_.missing == Missing::keep) {
      if (info.levels > 32768)
        fail(ErrorKind::usage, "--levels", "at most 32768 with --missing keep (int16)");
      info.element = Element::i16;
    }
    return info;
  }

  // Reads all records: only then is it known what columns hold.
  void code_cells() {
    info_.shape = {std::ssize(rows_.chosen())};
    const bool keeps = options_.missing == Missing::keep,
               whole = options_.content == Reading::symbols || options_.levels;
    coded_.emplace(coded_columns(),
                   CodedTable::Limits{.most_values = keeps ? 32768 : 65536, .reals = !whole});
    while (rows_.next()) take_record(held_);
    info_.n = held_.count;
    coded_->finish(info_, options_.levels);
    for (const std::string& doubt : coded_->doubts()) record_.warnings.push_back(doubt);
  }

  [[nodiscard]] std::vector<CodedTable::Column> coded_columns() const {
    const bool all = options_.categorical == std::vector<std::string>{"auto"};
    std::vector<CodedTable::Column> columns;
    const std::vector<std::size_t>& chosen = rows_.chosen();
    for (const std::size_t column : chosen)
      columns.push_back({rows_.columns().words(column), all ? Cells::either : Cells::numbers});
    if (all) return columns;
    for (const std::size_t column : rows_.columns().select(options_.categorical)) {
      const auto place = std::ranges::find(chosen, column);
      if (place == chosen.end())
        fail(ErrorKind::usage, "--categorical",
             rows_.columns().words(column) + " is not among the columns that are taken");
      columns[static_cast<std::size_t>(place - chosen.begin())].cells = Cells::words;
    }
    return columns;
  }

  [[nodiscard]] Rows next_coded() {
    const auto width = static_cast<std::int64_t>(info_.row_bytes());
    const std::int64_t most = std::max<std::int64_t>(1, RowStream::chunk_bytes / width);
    const std::int64_t begin = std::exchange(given_, std::min(held_.count, given_ + most));
    if (begin == given_) return {};
    Rows rows = slice_rows(held_, begin, given_);
    rows.x = coded_->rows(begin, given_);
    return rows;
  }

  void take_record(Rows& rows) {
    const std::vector<std::string>& fields = rows_.fields();
    const std::int64_t number = records_++;
    if (lacks_something(fields)) return void(++dropped_);
    for (const std::size_t column : rows_.chosen()) put_value(fields[column], column, rows.x);
    if (rows_.label_column())
      rows.y.push_back(labels_.number_of(fields[*rows_.label_column()], rows_.place()));
    if (info_.has_source_rows) rows.source.push_back(number);
    ++rows.count;
  }

  // True where --missing drop-row leaves the record out; a data error where no value may be
  // missing.
  [[nodiscard]] bool lacks_something(const std::vector<std::string>& fields) const {
    const std::optional<std::size_t> label = rows_.label_column();
    const auto missing = [&](std::size_t column) {
      if (options_.missing == Missing::drop_row) return true;
      const std::string what =
          fields[column].empty() ? " is empty" : " is '" + fields[column] + "'";
      fail(ErrorKind::data, rows_.place(), rows_.columns().words(column) + what,
           column == label ? "--missing drop-row, or --na with other words"
                           : "--missing drop-row, or --missing keep");
    };
    for (const std::size_t column : rows_.chosen())
      if (options_.missing != Missing::keep && is_missing(fields[column])) return missing(column);
    return label && (fields[*label].empty() || rows_.is_na(fields[*label])) && missing(*label);
  }

  [[nodiscard]] bool is_missing(const std::string& field) const {
    return is_no_number(field) || rows_.is_na(field);
  }

  void put_value(const std::string& field, std::size_t column, std::vector<std::byte>& x) {
    if (coded_) {
      if (is_missing(field)) return coded_->put_missing();
      return coded_->put(field, {rows_.file(), rows_.line()});
    }
    const auto append = [&x](auto value) {
      std::byte bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      x.insert(x.end(), bytes, bytes + sizeof value);
    };
    if (is_missing(field)) {
      if (info_.element == Element::f32) return append(std::numeric_limits<float>::quiet_NaN());
      return append(std::int16_t{-1});
    }
    const auto value = parse_real(field);
    if (!value)
      fail(ErrorKind::data, rows_.place(),
           rows_.columns().words(column) + ": '" + field + "' is not a number",
           means_missing(field) ? na_hint(field)
                                : "--columns chooses columns of numbers, --label-column takes one "
                                  "of words, --categorical auto keeps words");
    if (info_.element == Element::f32) {
      const CodedTable::Place here{rows_.file(), rows_.line()};
      if (auto trouble = beyond_floats(rows_.columns().words(column), field, here))
        throw std::move(*trouble);
      return append(static_cast<float>(*value));
    }
    if (*value < 0 || *value >= static_cast<double>(info_.levels) || *value != std::floor(*value))
      fail(ErrorKind::data, rows_.place(),
           rows_.columns().words(column) + ": '" + field + "' is not a whole number in 0.." +
               std::to_string(info_.levels - 1));
    if (info_.element == Element::u8) return append(static_cast<std::uint8_t>(*value));
    if (info_.element == Element::u16) return append(static_cast<std::uint16_t>(*value));
    append(static_cast<std::int16_t>(*value));
  }

  ImportOptions options_;
  CsvRows rows_;
  CsvLabels labels_;
  std::optional<CodedTable> coded_;  // of tables with words
  Rows held_;                        // the other columns of such rows
  std::int64_t given_ = 0;           // of them
  std::int64_t records_ = 0, dropped_ = 0;
};

// Pixels, symbols and vectors are numbers, and --categorical makes symbols where it can.
bool asks_for_numbers(const ImportOptions& o) {
  return !o.shape.empty() || o.levels || !o.categorical.empty() || o.content != Reading::by_rank;
}

std::unique_ptr<Importer> open_csv(Inputs inputs, const ImportOptions& options) {
  Inputs files = unpacked(std::move(inputs), options.members);
  if (!asks_for_numbers(options)) return open_table(std::move(files), options);
  ImportOptions strict = options;
  if (strict.missing == Missing::by_content) strict.missing = Missing::error;
  return std::make_unique<CsvImporter>(std::move(files), strict);
}

}  // namespace

namespace foreign {

ImportFormat csv() {
  return {.word = "csv",
          .says = "tables of numbers and words",
          .options = {"members", "shape", "content", "levels", "standardise", "columns", "type",
                      "decimal", "categorical", "label-column", "split-by", "group", "header",
                      "missing", "na"},
          .open = open_csv};
}

}  // namespace foreign
}  // namespace logpx
