#include "formats/import/csv_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace logpx {
namespace {

constexpr std::ptrdiff_t most_names_shown = 50;
constexpr std::uint64_t most_lines_above = 20;

}  // namespace

CsvColumns::CsvColumns(std::vector<std::string> names, std::string file)
    : names_(std::move(names)), file_(std::move(file)) {}

std::string CsvColumns::words(std::size_t column) const {
  return "column " + std::to_string(column + 1) +
         (names_[column].empty() ? "" : " (" + names_[column] + ")");
}

bool CsvColumns::is_unnamed(std::size_t column) const {
  return (names_[column].empty() || names_[column] == "Unnamed: " + std::to_string(column)) &&
         std::ranges::any_of(names_, [](const auto& name) { return !name.empty(); });
}

std::size_t CsvColumns::find(const std::string& word) const {
  const auto named = std::find(names_.begin(), names_.end(), word);
  if (named != names_.end() && !word.empty())
    return static_cast<std::size_t>(named - names_.begin());
  const auto number = parse_integer(word);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(count()))
    return static_cast<std::size_t>(*number - 1);
  fail(ErrorKind::data, file_, "no column " + word + did_you_mean(word, names_), known());
}

std::vector<std::size_t> CsvColumns::select(const std::vector<std::string>& words) const {
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

std::vector<std::string> CsvColumns::names(const std::vector<std::size_t>& columns) const {
  if (std::ranges::all_of(names_, &std::string::empty)) return {};
  std::vector<std::string> names;
  for (const std::size_t column : columns)
    names.push_back(names_[column].empty() ? "column" + std::to_string(column + 1)
                                           : names_[column]);
  std::set<std::string> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      fail(ErrorKind::data, file_, "has two columns " + list_item(name),
           "give one of them another name in its first line, or leave one out: --columns takes "
           "their numbers");
  return names;
}

// "columns are a,"b, c",d", as --columns takes them.
std::string CsvColumns::known() const {
  const std::string numbers = "1 to " + std::to_string(count());
  const bool named = std::ranges::any_of(names_, [](const auto& name) { return !name.empty(); });
  if (!named) return "columns are " + numbers;
  const std::vector<std::string> first(
      names_.begin(), names_.begin() + std::min(std::ssize(names_), most_names_shown));
  return "columns are " + join_list(first) +
         (std::ssize(names_) > most_names_shown ? " ... (" + numbers + ')' : "");
}

std::int32_t CsvLabels::number_of(const std::string& field, const std::string& place) {
  const auto number = parse_integer(field);
  if (!are_words_) are_words_ = !number.has_value();
  if (*are_words_) {
    const auto next = static_cast<std::int32_t>(numbers_.size());
    return numbers_.try_emplace(field, next).first->second;
  }
  if (!number || *number < std::numeric_limits<std::int32_t>::min() ||
      *number > std::numeric_limits<std::int32_t>::max())
    fail(ErrorKind::data, place, "label '" + field + "' is not a whole number like those before");
  return static_cast<std::int32_t>(*number);
}

std::vector<std::string> CsvLabels::names() const {
  std::vector<std::string> names(numbers_.size());
  for (const auto& [name, number] : numbers_) names[static_cast<std::size_t>(number)] = name;
  return names;
}

CsvRows::CsvRows(Inputs inputs, const ImportOptions& options)
    : inputs_(std::move(inputs)), options_(options) {
  open_next();
  decimal_commas_ = options.decimal == DecimalMark::by_file ? reader_->form().decimal_commas
                                                            : options.decimal == DecimalMark::comma;
}

bool CsvRows::is_na(const std::string& field) const {
  return std::ranges::find(options_.na, field) != options_.na.end();
}

bool CsvRows::next() {
  while (next_record()) {
    if (record_.is_blank() && columns_->count() > 1) continue;
    if (record_.fields.size() != columns_->count()) refuse_width();
    for (const std::size_t column : chosen_)
      require_text(record_.fields[column], place(), column + 1);
    for (const auto& column : {label_column_, key_column_})
      if (column) require_text(record_.fields[*column], place(), *column + 1);
    first_row_ = false;
    return true;
  }
  return false;
}

// Whether the line behind has as many fields as this one.
bool CsvRows::next_is_alike() {
  CsvRecord next;
  return reader_ && reader_->next(next) && next.fields.size() == record_.fields.size();
}

// Where already the first row differs, it is the line of names that is not as it should be.
void CsvRows::refuse_width() {
  const std::size_t names = columns_->count(), fields = record_.fields.size();
  const bool one_more = names > 1 && fields == names + 1;
  std::string hint;
  if (one_more && record_.fields.back().empty())
    hint = std::string("sed 's/") + delimiter_ + "$//' takes the delimiter off the ends of lines";
  else if (first_row_ && options_.header && one_more)
    hint = std::string("sed '1s/^/") + (delimiter_ == ' ' ? "\"\" " : std::string(1, delimiter_)) +
           "/' gives the first column an empty name, where the line of names has none for it";
  else if (first_row_ && options_.header)
    hint = "the first line names the columns; tail -n +2 leaves out one that does not";
  else if (options_.header && record_.line <= most_lines_above && fields > names && next_is_alike())
    hint = "tail -n +" + std::to_string(record_.line) +
           " leaves out what stands above, if the table begins here";
  else if (fields > names && delimiter_ != ' ')
    hint = std::string("quotes belong around a field that holds ") +
           (delimiter_ == '\t' ? "a tab" : std::string(1, delimiter_));
  fail(ErrorKind::data, place(), counted(fields, "field") + ", expected " + std::to_string(names),
       hint);
}

bool CsvRows::next_record() {
  while (reader_) {
    if (have_first_ || reader_->next(record_)) {
      have_first_ = false;
      return true;
    }
    sources_.push_back(reader_->finish());
    reader_.reset();
    if (++opened_ < inputs_.size()) open_next();
  }
  return false;
}

void CsvRows::open_next() {
  reader_.emplace(inputs_[opened_].open());
  file_ = reader_->name();
  delimiter_ = reader_->form().delimiter;
  do {
    if (!reader_->next(record_)) fail(ErrorKind::data, file_, "no rows");
  } while (record_.is_blank());
  std::vector<std::string> names = record_.fields;
  first_row_ = true;
  const auto is_number = [](const auto& name) { return parse_real(name).has_value(); };
  // A year may well be a name.
  const auto is_measured = [&](const auto& name) {
    return is_number(name) && name.find_first_of(".-") != std::string::npos;
  };
  have_first_ = !options_.header;
  for (std::size_t i = 0; i < names.size() && !have_first_; ++i)
    require_text(names[i], place(), i + 1);
  if (have_first_) names.assign(names.size(), "");
  else if (std::ranges::all_of(names, is_number))
    warnings_.push_back(file_ +
                        ": its first line holds numbers alone, and is taken for names of columns; "
                        "--no-header reads it as a row");
  else if (const auto found = std::ranges::find_if(names, is_measured); found != names.end())
    warnings_.push_back(file_ + ": its first line holds the number " + *found +
                        ", and is taken for names of columns; --no-header reads it as a row");
  open_columns(std::move(names));
}

void CsvRows::open_columns(std::vector<std::string> names) {
  const std::size_t width = chosen_.size();
  columns_.emplace(std::move(names), file_);
  const std::string& key = options_.group.empty() ? options_.split_by : options_.group;
  label_column_.reset();
  if (!options_.label_column.empty()) label_column_ = columns_->find(options_.label_column);
  if (!key.empty()) key_column_ = columns_->find(key);
  chosen_ = columns_->select(options_.columns);
  for (std::size_t i = 0; options_.columns.empty() && i < columns_->count(); ++i)
    if (i != label_column_ && i != key_column_) chosen_.push_back(i);
  if (options_.columns.empty() && options_.shape.empty()) match_first_names();
  if (chosen_.empty()) fail(ErrorKind::data, file_, "no column for the examples");
  if (opened_ > 0 && chosen_.size() != width)
    fail(ErrorKind::data, file_,
         "has " + std::to_string(chosen_.size()) + " columns, " + inputs_[0].name() + " has " +
             std::to_string(width));
}

// Columns of further files are those of the first by their names, in whatever order.
void CsvRows::match_first_names() {
  const std::vector<std::string> here = columns_->names(chosen_);
  if (opened_ == 0) {
    names_ = here;
    return;
  }
  if (here.size() != names_.size() || here == names_) return;
  std::vector<std::size_t> matched;
  for (const std::string& name : names_) {
    const auto found = std::ranges::find(here, name);
    if (found == here.end())
      fail(ErrorKind::data, file_,
           "has no column " + list_item(name) + did_you_mean(name, here) + ", which " +
               inputs_[0].name() + " has",
           "--columns takes columns by their numbers");
    matched.push_back(chosen_[static_cast<std::size_t>(found - here.begin())]);
  }
  chosen_ = std::move(matched);
}

void CsvRows::finish(ImportRecord& record) {
  if (reader_) sources_.push_back(reader_->finish());
  reader_.reset();
  while (++opened_ < inputs_.size()) sources_.push_back(*inputs_[opened_].open().finish());
  for (SourceFile& source : sources_) record.sources.push_back(std::move(source));
  record.warnings.insert(record.warnings.begin(), warnings_.begin(), warnings_.end());
}

}  // namespace logpx
