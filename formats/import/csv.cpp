// Tables of numbers as vectors, pixels or symbols.
#include "formats/import/array.hpp"
#include "formats/import/coded_table.hpp"
#include "formats/import/csv_records.hpp"
#include "formats/import/importer.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

namespace logpx {
namespace {

constexpr std::ptrdiff_t most_names_shown = 50;

// Column names of the file, or 1, 2, 3 ... without a header, and which of them were asked for.
class Columns {
 public:
  Columns(std::vector<std::string> names, const std::string& file)
      : names_(std::move(names)), file_(file) {}

  [[nodiscard]] std::size_t count() const { return names_.size(); }
  // "column 3 (x)"
  [[nodiscard]] std::string words(std::size_t column) const {
    return "column " + std::to_string(column + 1) +
           (names_[column].empty() ? "" : " (" + names_[column] + ")");
  }

  [[nodiscard]] std::size_t find(const std::string& word) const {
    const auto named = std::find(names_.begin(), names_.end(), word);
    if (named != names_.end() && !word.empty())
      return static_cast<std::size_t>(named - names_.begin());
    const auto number = parse_integer(word);
    if (number && *number >= 1 && *number <= static_cast<std::int64_t>(count()))
      return static_cast<std::size_t>(*number - 1);
    fail(ErrorKind::data, file_, "no column " + word + did_you_mean(word, names_), known());
  }

  // Names, numbers, and ranges of numbers such as 3-9.
  [[nodiscard]] std::vector<std::size_t> select(const std::vector<std::string>& words) const {
    std::vector<std::size_t> chosen;
    for (const std::string& word : words) {
      const bool named = std::find(names_.begin(), names_.end(), word) != names_.end();
      const std::size_t dash = word.find('-', 1);
      if (named || dash == std::string::npos) {
        chosen.push_back(find(word));
        continue;
      }
      const std::size_t first = find(word.substr(0, dash)), last = find(word.substr(dash + 1));
      for (std::size_t column = first; column <= last; ++column) chosen.push_back(column);
    }
    return chosen;
  }

  // The names of these columns; nothing without a header.
  [[nodiscard]] std::vector<std::string> names(const std::vector<std::size_t>& columns) const {
    std::vector<std::string> names;
    for (const std::size_t column : columns)
      if (!names_[column].empty()) names.push_back(names_[column]);
    return names.size() == columns.size() ? names : std::vector<std::string>();
  }

 private:
  // "the columns are a, "b, c", d", as --columns takes them.
  [[nodiscard]] std::string known() const {
    const std::string numbers = "1 to " + std::to_string(count());
    const bool named = std::ranges::any_of(names_, [](const auto& name) { return !name.empty(); });
    if (!named) return "columns are " + numbers;
    const std::vector<std::string> first(
        names_.begin(), names_.begin() + std::min(std::ssize(names_), most_names_shown));
    return "columns are " + join_list(first) +
           (std::ssize(names_) > most_names_shown ? " ... (" + numbers + ')' : "");
  }

  std::vector<std::string> names_;
  std::string file_;
};

class CsvImporter final : public Importer {
 public:
  CsvImporter(Inputs inputs, const ImportOptions& options)
      : inputs_(std::move(inputs)), options_(options) {
    open_next();
    const bool coded = !options.categorical.empty();
    if (!coded) info_ = info_of(chosen_.size());
    info_.has_labels = !options.label_column.empty();
    info_.has_missing = options.missing == Missing::keep;
    info_.has_source_rows = options.missing == Missing::drop_row;
    if (coded) code_cells();
    if (info_.is_table()) info_.column_names = columns_->names(chosen_);
  }

  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    if (coded_) {
      rows = next_coded();
    } else {
      while (rows.x.size() < RowStream::chunk_bytes && next_record()) take_record(rows);
      info_.n += rows.count;
    }
    if (rows.count > 0) return true;
    if (info_.n == 0) fail(ErrorKind::data, inputs_[0].name(), "no rows");
    info_.has_source_rows = dropped_ > 0;
    info_.label_names.resize(label_numbers_.size());
    for (const auto& [name, number] : label_numbers_)
      info_.label_names[static_cast<std::size_t>(number)] = name;
    return false;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    if (reader_) close_file();
    while (++opened_ < inputs_.size()) record_.sources.push_back(*inputs_[opened_].open().finish());
    leave_out(dropped_, "row with missing values", "rows with missing values");
    return std::move(record_);
  }

 private:
  [[nodiscard]] DatasetInfo info_of(std::size_t width) const {
    ArrayLayout layout;
    layout.type = NumberType::f64;
    layout.sizes = {1, static_cast<std::int64_t>(width)};
    DatasetInfo info = describe_rows(layout, options_, inputs_[0].name());
    if (info.content == Content::symbols && options_.missing == Missing::keep) {
      if (info.levels > 32768)
        fail(ErrorKind::usage, "--levels", "at most 32768 with --missing keep (int16)");
      info.element = Element::i16;
    }
    return info;
  }

  // Reads all records: only then is it known what columns hold.
  void code_cells() {
    info_.shape = {std::ssize(chosen_)};
    const bool keeps = options_.missing == Missing::keep,
               whole = options_.content == Reading::symbols || options_.levels;
    coded_.emplace(coded_columns(),
                   CodedTable::Limits{.most_values = keeps ? 32768 : 65536, .reals = !whole});
    while (next_record()) take_record(held_);
    info_.n = held_.count;
    coded_->finish(info_, options_.levels);
    for (const std::string& doubt : coded_->doubts()) record_.warnings.push_back(doubt);
  }

  [[nodiscard]] std::vector<CodedTable::Column> coded_columns() const {
    const bool all = options_.categorical == std::vector<std::string>{"auto"};
    std::vector<CodedTable::Column> columns;
    for (const std::size_t column : chosen_)
      columns.push_back({columns_->words(column), all ? Cells::either : Cells::numbers});
    if (all) return columns;
    for (const std::size_t column : columns_->select(options_.categorical)) {
      const auto place = std::ranges::find(chosen_, column);
      if (place == chosen_.end())
        fail(ErrorKind::usage, "--categorical",
             columns_->words(column) + " is not among the columns that are taken");
      columns[static_cast<std::size_t>(place - chosen_.begin())].cells = Cells::words;
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

  // The next record of the file, or of the files after it.
  [[nodiscard]] bool next_record() {
    while (reader_) {
      if (have_first_ || reader_->next(record_line_)) {
        have_first_ = false;
        return true;
      }
      close_file();
      if (++opened_ < inputs_.size()) open_next();
    }
    return false;
  }

  void close_file() {
    record_.sources.push_back(reader_->finish());
    reader_.reset();
  }

  void open_next() {
    reader_.emplace(inputs_[opened_].open());
    do {
      if (!reader_->next(record_line_)) fail(ErrorKind::data, reader_->name(), "no rows");
    } while (record_line_.is_blank());
    std::vector<std::string> names = record_line_.fields;
    have_first_ = !options_.header;
    if (!options_.header) names.assign(names.size(), "");
    else if (std::ranges::all_of(names,
                                 [](const auto& name) { return parse_real(name).has_value(); }))
      record_.warnings.push_back(reader_->name() +
                                 ": its first line holds numbers alone, and is taken for names of "
                                 "columns; --no-header reads it as a row");
    const Columns columns(std::move(names), reader_->name());
    const std::size_t width = chosen_.size();
    label_column_.reset();
    if (!options_.label_column.empty()) label_column_ = columns.find(options_.label_column);
    chosen_ = columns.select(options_.columns);
    for (std::size_t i = 0; options_.columns.empty() && i < columns.count(); ++i)
      if (i != label_column_) chosen_.push_back(i);
    if (chosen_.empty()) fail(ErrorKind::data, reader_->name(), "no column for the examples");
    if (opened_ > 0 && chosen_.size() != width)
      fail(ErrorKind::data, reader_->name(),
           "has " + std::to_string(chosen_.size()) + " columns, " + inputs_[0].name() + " has " +
               std::to_string(width));
    columns_.emplace(columns);
  }

  [[nodiscard]] std::string place() const {
    return reader_->name() + ':' + std::to_string(record_line_.line);
  }

  void take_record(Rows& rows) {
    const std::vector<std::string>& fields = record_line_.fields;
    if (record_line_.is_blank() && columns_->count() > 1) return;
    if (fields.size() != columns_->count())
      fail(
          ErrorKind::data, place(),
          std::to_string(fields.size()) + " fields, expected " + std::to_string(columns_->count()));
    const std::int64_t number = records_++;
    if (lacks_something(fields)) return void(++dropped_);
    for (const std::size_t column : chosen_) put_value(fields[column], column, rows.x);
    if (label_column_) rows.y.push_back(label(fields[*label_column_]));
    if (info_.has_source_rows) rows.source.push_back(number);
    ++rows.count;
  }

  // True where --missing drop-row leaves the record out; a data error where no value may be
  // missing.
  [[nodiscard]] bool lacks_something(const std::vector<std::string>& fields) const {
    const auto missing = [&](std::size_t column) {
      if (options_.missing == Missing::drop_row) return true;
      const std::string what =
          fields[column].empty() ? " is empty" : " is '" + fields[column] + "'";
      fail(ErrorKind::data, place(), columns_->words(column) + what,
           column == label_column_ ? "--missing drop-row, or --na with other words"
                                   : "--missing drop-row, or --missing keep");
    };
    for (const std::size_t column : chosen_)
      if (options_.missing != Missing::keep && is_missing(fields[column])) return missing(column);
    const bool no_label =
        label_column_ && (fields[*label_column_].empty() || is_na(fields[*label_column_]));
    return no_label && missing(*label_column_);
  }

  [[nodiscard]] bool is_na(const std::string& field) const {
    return std::ranges::find(options_.na, field) != options_.na.end();
  }
  [[nodiscard]] bool is_missing(const std::string& field) const {
    return is_no_number(field) || is_na(field);
  }

  void put_value(const std::string& field, std::size_t column, std::vector<std::byte>& x) {
    if (coded_) {
      if (is_missing(field)) return coded_->put_missing();
      return coded_->put(field, {reader_->name(), record_line_.line});
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
      fail(ErrorKind::data, place(), columns_->words(column) + ": '" + field + "' is not a number",
           means_missing(field) ? na_hint(field)
                                : "--columns chooses columns of numbers, --label-column takes one "
                                  "of words, --categorical auto keeps words");
    if (info_.element == Element::f32) {
      const CodedTable::Place here{reader_->name(), record_line_.line};
      if (auto trouble = beyond_floats(columns_->words(column), field, here))
        throw std::move(*trouble);
      return append(static_cast<float>(*value));
    }
    if (*value < 0 || *value >= static_cast<double>(info_.levels) || *value != std::floor(*value))
      fail(ErrorKind::data, place(),
           columns_->words(column) + ": '" + field + "' is not a whole number in 0.." +
               std::to_string(info_.levels - 1));
    if (info_.element == Element::u8) return append(static_cast<std::uint8_t>(*value));
    if (info_.element == Element::u16) return append(static_cast<std::uint16_t>(*value));
    append(static_cast<std::int16_t>(*value));
  }

  // Numbers as they are; else words, numbered as they come. The first label decides.
  [[nodiscard]] std::int32_t label(const std::string& field) {
    const auto number = parse_integer(field);
    if (!labels_are_words_) labels_are_words_ = !number.has_value();
    if (*labels_are_words_) {
      const auto next = static_cast<std::int32_t>(label_numbers_.size());
      return label_numbers_.try_emplace(field, next).first->second;
    }
    if (!number || *number < std::numeric_limits<std::int32_t>::min() ||
        *number > std::numeric_limits<std::int32_t>::max())
      fail(ErrorKind::data, place(),
           "label '" + field + "' is not a whole number like those before");
    return static_cast<std::int32_t>(*number);
  }

  Inputs inputs_;
  ImportOptions options_;
  std::optional<CsvReader> reader_;
  std::optional<Columns> columns_;
  std::vector<std::size_t> chosen_;
  std::optional<std::size_t> label_column_;
  std::optional<bool> labels_are_words_;
  std::map<std::string, std::int32_t> label_numbers_;
  std::optional<CodedTable> coded_;  // of tables with words
  Rows held_;                        // the other columns of such rows
  std::int64_t given_ = 0;           // of them
  CsvRecord record_line_;
  bool have_first_ = false;
  std::size_t opened_ = 0;
  std::int64_t records_ = 0, dropped_ = 0;
};

std::unique_ptr<Importer> open_csv(Inputs inputs, const ImportOptions& options) {
  return std::make_unique<CsvImporter>(unpacked(std::move(inputs), options.members), options);
}

}  // namespace

namespace foreign {

ImportFormat csv() {
  return {.word = "csv",
          .says = "tables of numbers and words",
          .options = {"members", "shape", "content", "levels", "standardise", "columns",
                      "categorical", "label-column", "header", "missing", "na"},
          .open = open_csv};
}

}  // namespace foreign
}  // namespace logpx
