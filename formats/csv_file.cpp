#include "formats/csv_file.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/import/csv_records.hpp"
#include "formats/import/missing_words.hpp"
#include "formats/import/options.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/column_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

// A text quoted so that readers of CSV take it for one cell.
std::string cell_text(const std::string& text, char delimiter) {
  const bool plain = text.find_first_of(std::string("\"\r\n") + delimiter) == std::string::npos &&
                     !text.starts_with(' ') && !text.ends_with(' ');
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

bool is_missing_cell(const std::string& text) {
  static const std::vector<std::string> words = ImportOptions().na;
  return is_no_number(text) || std::ranges::find(words, text) != words.end();
}

CsvFile::CsvFile(const std::string& path, std::string name) : name_(std::move(name)) {
  ByteSource source(path);
  bytes_ = read_whole(source, most_bytes);
  source_ = *source.finish();
  read();
}

CsvFile::CsvFile(std::string name, std::vector<std::byte> bytes)
    : name_(std::move(name)), bytes_(std::move(bytes)) {
  read();
}

std::string_view CsvFile::text() const {
  return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
}

void CsvFile::read() {
  CsvReader reader(ByteSource(name_, bytes_));
  delimiter_ = reader.form().delimiter;
  for (CsvRecord record; reader.next(record);) {
    if (record.is_blank() && (lines_.empty() || lines_[0].cells.size() > 1)) continue;
    Line& line = lines_.emplace_back(Line{.number = record.line, .cells = {}});
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
      require_text(record.fields[i], name_ + ':' + std::to_string(line.number), i + 1);
      auto [begin, end] = record.places[i];
      if (end > begin && text()[end - 1] == '\r') --end;
      line.cells.push_back({std::move(record.fields[i]), begin, end});
    }
    if (line.cells.size() != lines_[0].cells.size())
      fail(ErrorKind::data, name_ + ':' + std::to_string(line.number),
           counted(line.cells.size(), "field") + ", expected " +
               std::to_string(lines_[0].cells.size()));
  }
  if (lines_.empty()) fail(ErrorKind::data, name_, "has no rows");
}

TableColumns::TableColumns(const CsvFile& table, const DatasetInfo& model,
                           std::vector<std::string> may_be_absent)
    : table_(table), info_(model), may_be_absent_(std::move(may_be_absent)) {
  info_.name = table.name();
  info_.has_labels = info_.has_lengths = info_.has_true_logp = info_.has_source_rows = false;
  info_.splits.clear();
  info_.has_missing = true;
  if (info_.element != Element::f32) info_.element = Element::i16;
  if (!info_.is_table())
    fail(ErrorKind::data, table.name(),
         std::string("is a table, and the model reads ") +
             (info_.content == Content::image ? "pictures" : "text"),
         "pack-data makes a dataset of other files");
  words_ = info_.column_words.by_column(info_.dims());
  find_columns();
  info_.n = std::ssize(table.lines()) - static_cast<std::int64_t>(first_line_);
  if (info_.n == 0) fail(ErrorKind::data, table.name(), "has a line of names, and no rows");
  read_cells();
}

void TableColumns::find_columns() {
  const std::vector<CsvFile::Cell>& first = table_.lines()[0].cells;
  std::vector<std::string>& names = names_;
  for (const CsvFile::Cell& cell : first)
    names.push_back(cell.text.empty() ? "column" + std::to_string(names.size() + 1) : cell.text);
  const std::vector<std::string> wanted = draw::column_names(info_);
  const auto known = [&](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  const bool numbers = std::ranges::all_of(first, [](const CsvFile::Cell& cell) {
    return parse_real(cell.text).has_value() || is_missing_cell(cell.text);
  });
  if (numbers && names.size() == wanted.size() && std::ranges::none_of(wanted, known)) {
    for (std::size_t i = 0; i < names.size(); ++i) places_.push_back(i);
    names = wanted;
    return;
  }
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end() && std::ranges::find(may_be_absent_, name) != may_be_absent_.end()) {
      places_.push_back(absent);
      continue;
    }
    if (found == names.end())
      fail(ErrorKind::data, table_.name() + ":1",
           "has no column " + name + ", which the model reads" + did_you_mean(name, names),
           "the model's columns are " + join_list(wanted));
    if (std::find(found + 1, names.end(), name) != names.end())
      fail(ErrorKind::data, table_.name() + ":1", "has two columns " + name);
    places_.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  first_line_ = 1;
  others_ = std::ssize(names) - (std::ssize(wanted) - std::ranges::count(places_, absent));
}

void TableColumns::read_cells() {
  rows_.count = info_.n;
  rows_.x.resize(at(info_.n) * info_.row_bytes());
  std::size_t next = 0;
  for (std::int64_t row = 0; row < info_.n; ++row)
    for (std::int64_t v = 0; v < std::ssize(places_); ++v, ++next) {
      const float value = value_of(row, v);
      if (info_.element == Element::f32) rows_.values<float>()[next] = value;
      else
        rows_.values<std::int16_t>()[next] =
            std::isnan(value) ? std::int16_t{-1} : static_cast<std::int16_t>(value);
    }
}

// NaN where it is missing.
float TableColumns::value_of(std::int64_t row, std::int64_t column) const {
  if (places_[at(column)] == absent) return std::numeric_limits<float>::quiet_NaN();
  const std::string& cell = text(row, column);
  const std::span<const std::string> words = words_[at(column)];
  const auto word = std::ranges::find(words, cell);
  if (word != words.end()) return static_cast<float>(word - words.begin());
  if (is_missing_cell(cell)) return std::numeric_limits<float>::quiet_NaN();
  if (!words.empty()) return new_value;
  return info_.column_forms.empty() ? number_of(row, column) : cell_of(row, column);
}

bool TableColumns::is_new(std::int64_t row, std::int64_t column) const {
  const bool categories = info_.column_forms.empty() && info_.element != Element::f32;
  return (categories || !words_[at(column)].empty()) && value_of(row, column) == new_value;
}

void TableColumns::refuse(std::int64_t row, std::int64_t column, const std::string& what,
                          const std::string& hint) const {
  fail(ErrorKind::data, table_.name() + ':' + std::to_string(line(row).number),
       (info_.column_names.empty() ? "" : "column ") + info_.column_name(column) + ": '" +
           text(row, column) + "' is not " + what,
       hint);
}

// The value of a column whose form is known.
float TableColumns::cell_of(std::int64_t row, std::int64_t column) const {
  const ColumnForm& form = info_.column_forms[at(column)];
  const std::string& cell = text(row, column);
  const std::optional<double> value = value_of_cell(form, cell);
  const bool whole = form.kind == ColumnKind::whole;
  if (value && (!whole || *value == std::floor(*value)))
    return static_cast<float>(form.stored_of(*value));
  if (means_missing(cell)) return std::numeric_limits<float>::quiet_NaN();
  const std::string kind = whole && value ? "number" : "word";
  refuse(row, column,
         form.kind == ColumnKind::date ? "a date of the form " + form.form
         : whole                       ? "a whole number"
                                       : "a number",
         "the model has learned from other cells; pack-data csv ... --type " +
             shell_word(info_.column_name(column) + '=' + kind) + " makes data of such ones");
}

float TableColumns::number_of(std::int64_t row, std::int64_t column) const {
  const auto number = parse_real(text(row, column));
  if (!number) refuse(row, column, "a number", "");
  const bool known = info_.element == Element::f32 ||
                     (*number >= 0 && *number < static_cast<double>(info_.levels) &&
                      *number == std::floor(*number));
  return known ? static_cast<float>(*number) : new_value;
}

std::string TableColumns::filled(const Fill& fill) const {
  std::string text;
  std::uint64_t done = 0;
  std::vector<std::size_t> order(places_.size());  // columns of the model as they lie in a line
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
  std::erase_if(order, [&](std::size_t v) { return places_[v] == absent; });
  std::ranges::sort(order, {}, [&](std::size_t v) { return places_[v]; });
  for (std::int64_t row = 0; row < info_.n; ++row)
    for (const std::size_t v : order) {
      const auto column = static_cast<std::int64_t>(v);
      if (!std::isnan(value_of(row, column))) continue;
      const CsvFile::Cell& cell = line(row).cells[places_[v]];
      const std::string value = fill(row, column);
      if (value.empty()) continue;
      text += table_.text().substr(done, cell.begin - done);
      text += cell_text(value, table_.delimiter());
      done = cell.end;
    }
  return text += table_.text().substr(done);
}

}  // namespace logpx
