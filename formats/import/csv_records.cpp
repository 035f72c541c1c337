#include "formats/import/csv_records.hpp"

#include "formats/file/signature.hpp"
#include "formats/import/characters.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

constexpr std::size_t max_field = std::size_t{1} << 20, max_fields = std::size_t{1} << 20;

// Rows of JSON have commas, too, and would make a table of words.
void refuse_json(std::span<const std::byte> first, const std::string& name) {
  const Signature* const found = may_be_json(first) ? find_signature(first) : nullptr;
  if (found != nullptr && !found->plain) fail_as_foreign(first, name, "a table");
}

}  // namespace

std::string na_hint(const std::string& field) {
  return "--na " + shell_word(field) + " --missing drop-row if it stands for a missing value";
}

void require_text(const std::string& field, const std::string& place, std::size_t number) {
  const auto refuse = [&](const std::string& what, const std::string& hint) {
    fail(ErrorKind::data, place, "column " + std::to_string(number) + ' ' + what, hint);
  };
  const auto check = [&](const Character& c) {
    if (c.code == not_utf8)
      refuse("is not UTF-8", "iconv -f WINDOWS-1252 -t UTF-8 turns most such tables into it");
    if (c.code == 0) refuse("holds a zero byte, which is no text", "");
  };
  if (std::ranges::all_of(field, [](char c) { return c > 0 && c < 0x7f; })) return;
  Utf8Decoder decoder;
  decoder.decode(std::as_bytes(std::span(field)), check);
  decoder.finish(check);
}

CsvReader::CsvReader(ByteSource source) : source_(std::move(source)), buffer_(64 * 1024) {
  const auto start = [this](std::size_t count) {
    const std::span<const std::byte> bytes = source_.peek(count);
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  if (start(2) == "\xff\xfe" || start(2) == "\xfe\xff")
    fail(ErrorKind::data, name(), "is UTF-16, expected UTF-8", "iconv -f UTF-16 -t UTF-8 FILE");
  refuse_json(source_.peek(signature_bytes), name());
  if (start(3) == "\xef\xbb\xbf") {  // a byte order mark
    std::array<std::byte, 3> mark{};
    position_ = source_.read(mark);
  }
  const std::string_view first = start(buffer_.size());
  form_ = guess_csv_form(first, first.size() < buffer_.size());
  if (start(4) == "sep=") take_separator();
}

// A line that says the delimiter, as spreadsheets write and read it.
void CsvReader::take_separator() {
  std::string line;
  while (look() >= 0 && look() != form_.line_end) line += static_cast<char>(take());
  (void)take();
  trim_field(line);
  constexpr std::size_t named = std::string_view("sep=;").size();
  if (line.size() != named)
    fail(ErrorKind::data, name() + ":1", "says sep= and no delimiter after it");
  form_.delimiter = line.back();
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
  if (c == form_.line_end) ++line_;
  return c;
}

void CsvReader::put(std::string& field, int c) {
  if (field.size() >= max_field)
    fail(ErrorKind::data, name() + ':' + std::to_string(fields_line_),
         "column " + std::to_string(field_) + ": a field is longer than 1 MiB",
         "is a quote not closed?");
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

void CsvReader::pass_blanks() {
  while (look() == ' ') (void)take();
}

// Whether a field, or what stands behind the last one, ends before this character.
bool CsvReader::is_end(int c) const {
  return c < 0 || c == form_.line_end || c == form_.delimiter || (are_words() && c == '\r');
}

// Up to the delimiter or the end of the line, which stay.
void CsvReader::read_field(std::string& field) {
  pass_blanks();
  if (look() == '"') read_quoted(field);
  while (!is_end(look())) put(field, take());
  trim_field(field);
}

// Whether the delimiter was one, with all blanks that stand for one; else the line ends here.
bool CsvReader::take_delimiter() {
  if (!are_words()) return take() == form_.delimiter;
  pass_blanks();
  if (look() == '\r' && form_.line_end != '\r') (void)take();
  if (look() >= 0 && look() != form_.line_end) return true;
  (void)take();
  return false;
}

bool CsvReader::next(CsvRecord& record) {
  record.fields.clear();
  record.places.clear();
  if (look() < 0) return false;
  record.line = fields_line_ = line_;
  do {
    if (are_words()) pass_blanks();
    if (record.fields.size() >= max_fields)
      fail(ErrorKind::data, name() + ':' + std::to_string(line_), "has more than a million fields");
    record.fields.emplace_back();
    field_ = record.fields.size();
    const std::uint64_t begin = position_;
    read_field(record.fields.back());
    record.places.emplace_back(begin, position_);
  } while (take_delimiter());
  return true;
}

}  // namespace logpx
