// RFC 4180: records of fields, quoted where they hold the delimiter, quotes or newlines. Fields are
// trimmed of blanks and newlines after unquoting.
#pragma once

#include "formats/import/byte_source.hpp"
#include "formats/import/csv_form.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

struct CsvRecord {
  std::uint64_t line = 1;  // of its first character
  std::vector<std::string> fields;
  // The place of each field in the file, as it is written there: first byte, and one past the last.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;

  [[nodiscard]] bool is_blank() const { return fields.size() == 1 && fields[0].empty(); }
};

// A data error at "t.csv:3" where field `number`, from 1, is no text: bytes that are not UTF-8, and
// zero bytes.
void require_text(const std::string& field, const std::string& place, std::size_t number);
// The options, as a hint, that make such a field a missing value.
[[nodiscard]] std::string na_hint(const std::string& field);

class CsvReader {
 public:
  // It is written as guess_csv_form says of its first 64 KiB; a line sep=; in front of all says
  // the delimiter.
  explicit CsvReader(ByteSource source);

  [[nodiscard]] bool next(CsvRecord& record);
  [[nodiscard]] const std::string& name() const { return source_.name(); }
  [[nodiscard]] const CsvForm& form() const { return form_; }
  [[nodiscard]] SourceFile finish() { return *source_.finish(); }

 private:
  [[nodiscard]] int take();  // -1 at the end
  [[nodiscard]] int look();
  [[nodiscard]] bool are_words() const { return form_.delimiter == ' '; }
  [[nodiscard]] bool is_end(int c) const;
  void pass_blanks();
  [[nodiscard]] bool take_delimiter();
  void read_field(std::string& field);
  void read_quoted(std::string& field);
  void take_separator();
  void put(std::string& field, int c);

  ByteSource source_;
  CsvForm form_;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0, filled_ = 0;
  std::uint64_t line_ = 1, fields_line_ = 1, position_ = 0;
  std::size_t field_ = 0;  // of the line, from 1
};

}  // namespace logpx
