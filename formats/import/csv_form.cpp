#include "formats/import/csv_form.hpp"

#include "formats/import/missing_words.hpp"
#include "libcore/data/number_form.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace logpx {
namespace {

using Words = std::vector<std::string>;

// Old tables of some programs end lines with a carriage return alone.
char guess_line_end(std::string_view start) {
  const std::size_t end = start.find_first_of("\r\n");  // or cut off before the newline
  const bool alone = end < start.size() - 1 && start.find('\n') == std::string_view::npos;
  return alone ? '\r' : '\n';
}

// The fields of each line, trimmed and without quotes; a line that is cut off is left out.
std::vector<Words> lines_of(std::string_view start, const CsvForm& form) {
  std::vector<Words> lines(1);
  std::string field;
  bool quoted = false, begun = false;  // begun: the field has characters or quotes
  for (const char c : start) {
    if (c == '"') quoted = !quoted;
    if (quoted || (c != form.delimiter && c != form.line_end)) {
      begun |= c != '\r';
      if (c != '"') field += c;
      continue;
    }
    trim_field(field);
    if (begun || form.delimiter != ' ') lines.back().push_back(field);
    field.clear();
    begun = false;
    if (c == form.line_end) lines.emplace_back();
  }
  lines.pop_back();
  return lines;
}

// The delimiter that the first line has most of; a blank if it has none.
char most_common_delimiter(std::string_view start, char line_end) {
  static constexpr std::array<char, 4> known = {',', ';', '\t', '|'};
  std::array<int, known.size()> counts{};
  bool quoted = false;
  for (const char c : start) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == line_end) break;
    for (std::size_t i = 0; i < known.size(); ++i) counts[i] += c == known[i] ? 1 : 0;
  }
  const auto most = std::ranges::max_element(counts);
  return *most == 0 ? ' ' : known[static_cast<std::size_t>(most - counts.begin())];
}

// Whether words are the fields of a table: each line has as many, and some column holds numbers.
// What R writes with names of rows has one more below the first line.
bool has_columns_of_words(std::vector<Words> lines) {
  std::erase_if(lines, [](const Words& line) { return line.empty(); });
  if (lines.size() < 2 || lines[0].size() < 2) return false;
  const std::size_t width = lines[1].size();
  std::vector<int> numbers(width, 0);
  constexpr int words = -1;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != width) return false;
    for (std::size_t column = 0; column < width; ++column) {
      const std::string& field = lines[i][column];
      if (numbers[column] == words || field.empty() || means_missing(field)) continue;
      numbers[column] = read_number(field, false) ? numbers[column] + 1 : words;
    }
  }
  const bool fits = width == lines[0].size() || width == lines[0].size() + 1;
  return fits && std::ranges::any_of(numbers, [](int count) { return count > 0; });
}

// Whether some fields are numbers only if their decimals follow a comma, and none only if they
// follow a point.
bool has_decimal_commas(const std::vector<Words>& lines) {
  bool commas = false;
  for (const Words& line : lines)
    for (const std::string& field : line) {
      const bool by_point = read_number(field, false).has_value(),
                 by_comma = read_number(field, true).has_value();
      if (by_point && !by_comma) return false;
      commas |= by_comma && !by_point;
    }
  return commas;
}

// With the end that the last line of a file may lack.
std::string ended_lines(std::string_view start, bool is_whole, const CsvForm& form) {
  std::string lines(start);
  if (is_whole && !start.ends_with(form.line_end)) lines += form.line_end;
  return lines;
}

}  // namespace

CsvForm guess_csv_form(std::string_view start, bool is_whole) {
  CsvForm form;
  form.line_end = guess_line_end(start);
  const std::size_t first = std::min(start.find_first_not_of("\r\n"), start.size());
  form.delimiter = most_common_delimiter(start.substr(first), form.line_end);
  const std::string ended = ended_lines(start, is_whole, form);
  if (form.delimiter == ' ' && !has_columns_of_words(lines_of(ended, form))) form.delimiter = ',';
  form.decimal_commas = form.delimiter == ';' && has_decimal_commas(lines_of(ended, form));
  return form;
}

bool has_even_lines(std::string_view start, bool is_whole) {
  const CsvForm form = guess_csv_form(start, is_whole);
  if (form.delimiter == ' ') return true;
  const std::vector<Words> lines = lines_of(ended_lines(start, is_whole, form), form);
  return lines.size() > 1 && lines[0].size() > 1 && lines[0].size() == lines[1].size();
}

void trim_field(std::string& field) {
  static constexpr std::string_view blanks = " \t\r\n";
  const std::size_t end = field.find_last_not_of(blanks);
  field.erase(end == std::string::npos ? 0 : end + 1);
  field.erase(0, field.find_first_not_of(blanks));
}

}  // namespace logpx
