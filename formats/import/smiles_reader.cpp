#include "formats/import/smiles_reader.hpp"

#include "formats/mol/chemistry.hpp"
#include "formats/mol/molecule_lines.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shown_name.hpp"
#include "libcore/base/spelling.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::string_view ends_of_text = " \t,;";

bool names_smiles(const std::string& field) {
  return lower_case(field).find("smiles") != std::string::npos;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The first line that is neither blank nor a comment.
std::string_view first_line(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (!line.empty() && line.front() != '#') return line;
    begin = end + 1;
  }
  return {};
}

std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find_first_of(ends_of_text));
}

// Whether the file has a line of names and then records of a table.
bool is_table(std::string_view line, const std::string& column) {
  if (!column.empty() || line.find('"') != std::string_view::npos) return true;
  if (line.find_first_of(",;\t") == std::string_view::npos) return false;
  if (names_smiles(std::string(line))) return true;
  return chemistry().read_plain(first_word(line)).trouble.has_value();
}

std::string columns_words(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(shown_name(name));
  return "columns are " + join_list(shown);
}

std::size_t asked_column(const std::vector<std::string>& names, const std::string& column,
                         const std::string& file) {
  const auto named = std::ranges::find(names, column);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  const auto number = parse_integer(column);
  if (number && *number >= 1 && *number <= std::ssize(names))
    return static_cast<std::size_t>(*number - 1);
  fail(ErrorKind::data, file, "no column " + column + did_you_mean(column, names),
       columns_words(names));
}

std::size_t column_of_smiles(const std::vector<std::string>& names, const std::string& file) {
  std::vector<std::string> like;
  for (const std::string& name : names) {
    if (lower_case(name) == "smiles") like = {name};
    if (!like.empty() && lower_case(like.front()) == "smiles") break;
    if (names_smiles(name)) like.push_back(name);
  }
  if (like.empty() && names.size() == 1) return 0;
  if (like.size() == 1)
    return static_cast<std::size_t>(std::ranges::find(names, like.front()) - names.begin());
  fail(ErrorKind::data, file,
       like.empty() ? "no column is called smiles" : "several columns are called like SMILES",
       "--column NAME; " + columns_words(names));
}

}  // namespace

SmilesReader::SmilesReader(ByteSource source, const std::string& column) : name_(source.name()) {
  const std::string_view first = text_of(source.peek(std::size_t{64} << 10));
  if (first.starts_with("\xff\xfe") || first.starts_with("\xfe\xff"))
    fail(ErrorKind::data, name_, "is UTF-16, expected UTF-8", "iconv -f UTF-16 -t UTF-8 FILE");
  const std::string_view line = first_line(first);
  if (is_table(line, column)) {
    table_.emplace(std::move(source));
    open_table(column);
    return;
  }
  source_.emplace(std::move(source));
  buffer_.resize(std::size_t{64} << 10);
  if (!names_smiles(std::string(first_word(line)))) return;
  for (std::string text; read_line(text) && !names_smiles(text);) {
  }
}

void SmilesReader::open_table(const std::string& column) {
  CsvRecord names;
  do {
    if (!table_->next(names)) fail(ErrorKind::data, name_, "no line of names");
  } while (names.is_blank());
  columns_ = names.fields.size();
  column_ = column.empty() ? column_of_smiles(names.fields, name_)
                           : asked_column(names.fields, column, name_);
}

bool SmilesReader::next(SmilesLine& line) {
  line = {};
  return table_ ? next_record(line) : next_of_list(line);
}

bool SmilesReader::next_record(SmilesLine& line) {
  for (CsvRecord record; table_->next(record);) {
    if (record.is_blank() && columns_ > 1) continue;
    line.line = record.line;
    if (record.fields.size() != columns_)
      fail(ErrorKind::data, name_ + ':' + std::to_string(record.line),
           counted(record.fields.size(), "field") + ", expected " + std::to_string(columns_));
    line.text = first_word(record.fields[column_]);
    line.refused = refused_class(record.fields[column_]);
    return true;
  }
  return false;
}

bool SmilesReader::next_of_list(SmilesLine& line) {
  std::string text;
  while (!after_blank_) {
    const std::uint64_t number = line_;
    if (!read_line(text)) return false;
    const std::string refused = refused_class(text);
    if (text.starts_with('#') && refused.empty()) continue;
    const std::string word(first_word(text));
    if (text.find_first_not_of(" \t") == std::string::npos) blank_.push_back(number);
    else after_blank_ = {number, refused.empty() ? word : text, refused};
  }
  if (!blank_.empty()) {
    line.line = blank_.front();
    blank_.pop_front();
    return true;
  }
  line = std::move(*after_blank_);
  after_blank_.reset();
  return true;
}

bool SmilesReader::read_line(std::string& text) {
  text.clear();
  bool any = false;
  while (true) {
    if (used_ == filled_) {
      used_ = 0;
      filled_ = source_->read(buffer_);
      if (filled_ == 0) break;
    }
    any = true;
    const std::string_view rest = text_of(buffer_).substr(used_, filled_ - used_);
    const std::size_t end = rest.find('\n');
    text += rest.substr(0, end);
    if (text.size() > longest_line)
      fail(ErrorKind::data, name_ + ':' + std::to_string(line_), "the line is longer than 1 MiB");
    used_ += std::min(end, rest.size() - 1) + 1;
    if (end != std::string_view::npos) break;
  }
  if (!any) return false;
  ++line_;
  if (text.ends_with('\r')) text.pop_back();
  return true;
}

SourceFile SmilesReader::finish() { return table_ ? table_->finish() : *source_->finish(); }

}  // namespace logpx
