#include "formats/import/csv_records.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

constexpr std::size_t max_field = std::size_t{1} << 20, max_fields = std::size_t{1} << 20;

void trim(std::string& field) {
  static constexpr std::string_view blanks = " \t\r\n";
  const std::size_t end = field.find_last_not_of(blanks);
  field.erase(end == std::string::npos ? 0 : end + 1);
  field.erase(0, field.find_first_not_of(blanks));
}

char guess_delimiter(std::span<const std::byte> start) {
  static constexpr std::array<char, 3> known = {',', ';', '\t'};
  std::array<int, 3> counts{};
  bool quoted = false;
  for (const std::byte byte : start) {
    const auto c = static_cast<char>(byte);
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    for (std::size_t i = 0; i < known.size(); ++i) counts[i] += c == known[i] ? 1 : 0;
  }
  return known[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                        counts.begin())];
}

}  // namespace

bool is_no_number(const std::string& field) {
  std::string lower = lower_case(field);
  if (lower.starts_with('-') || lower.starts_with('+')) lower.erase(0, 1);
  return lower.empty() || lower == "nan" || lower == "inf" || lower == "infinity";
}

bool means_missing(const std::string& field) {
  constexpr std::array<std::string_view, 12> known = {
      "?", "??", "n/a", "na", "#n/a", "n.a.", "none", "null", "missing", ".", "-", "--"};
  return std::ranges::find(known, lower_case(field)) != known.end();
}

std::string na_hint(const std::string& field) {
  return "--na " + shell_word(field) + " --missing drop-row if it stands for a missing value";
}

CsvReader::CsvReader(ByteSource source) : source_(std::move(source)), buffer_(64 * 1024) {
  if (begins_with(source_.peek(3), "\xef\xbb\xbf")) {  // a byte order mark
    std::array<std::byte, 3> mark{};
    position_ = source_.read(mark);
  }
  delimiter_ = guess_delimiter(source_.peek(64 * 1024));
}

int CsvReader::look() {
  if (used_ == filled_) {
    used_ = 0;
    filled_ = source_.read(buffer_);
    if (filled_ == 0) return -1;
  }
  return std::to_integer<int>(buffer_[used_]);
}

int CsvReader::take() {
  const int c = look();
  if (c >= 0) ++used_, ++position_;
  if (c == '\n') ++line_;
  return c;
}

void CsvReader::put(std::string& field, int c) {
  if (field.size() >= max_field)
    fail(ErrorKind::data, name() + ':' + std::to_string(fields_line_),
         "a field is longer than 1 MiB", "is a quote not closed?");
  field += static_cast<char>(c);
}

void CsvReader::read_quoted(std::string& field) {
  const std::uint64_t opened = line_;
  (void)take();  // the quote
  while (true) {
    const int c = take();
    if (c < 0)
      fail(ErrorKind::data, name() + ':' + std::to_string(opened), "a quoted field is not closed");
    if (c == '"') {
      if (look() != '"') return;
      (void)take();
    }
    put(field, c);
  }
}

// Up to the delimiter or the end of the line, which stay.
void CsvReader::read_field(std::string& field) {
  while (look() == ' ') (void)take();
  if (look() == '"') read_quoted(field);
  while (true) {
    const int c = look();
    if (c < 0 || c == '\n' || c == delimiter_) break;
    put(field, take());
  }
  trim(field);
}

bool CsvReader::next(CsvRecord& record) {
  record.fields.clear();
  record.places.clear();
  if (look() < 0) return false;
  record.line = fields_line_ = line_;
  while (true) {
    if (record.fields.size() >= max_fields)
      fail(ErrorKind::data, name() + ':' + std::to_string(line_), "has more than a million fields");
    record.fields.emplace_back();
    const std::uint64_t begin = position_;
    read_field(record.fields.back());
    record.places.emplace_back(begin, position_);
    const int c = take();
    if (c != delimiter_) return true;
  }
}

}  // namespace logpx
