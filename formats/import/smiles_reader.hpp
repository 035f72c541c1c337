// Lists of SMILES: a text each line, with whatever else stands behind it, or a column of a table.
// Which of them a file is, its first line says.
//
//   SmilesReader reader(ByteSource("my.smi"));
//   for (SmilesLine line; reader.next(line);) use(line.text);
#pragma once

#include "formats/import/byte_source.hpp"
#include "formats/import/csv_records.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

struct SmilesLine {
  std::uint64_t line = 1;
  std::string text;     // may be empty
  std::string refused;  // the class of a line that stands for a graph that is no molecule
};

class SmilesReader {
 public:
  // `column` is the name of one or its number from 1; empty: the one that is called like SMILES. A
  // data error where there is no such column.
  explicit SmilesReader(ByteSource source, const std::string& column = "");

  // Comments of lists are passed over, and so are blank lines at the end.
  [[nodiscard]] bool next(SmilesLine& line);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] SourceFile finish();

 private:
  void open_table(const std::string& column);
  [[nodiscard]] bool next_record(SmilesLine& line);
  [[nodiscard]] bool next_of_list(SmilesLine& line);
  [[nodiscard]] bool read_line(std::string& text);

  std::string name_;
  std::optional<ByteSource> source_;  // of a list
  std::optional<CsvReader> table_;
  std::size_t column_ = 0, columns_ = 0;  // of a table
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0, filled_ = 0;
  std::uint64_t line_ = 1;
  std::deque<std::uint64_t> blank_;  // lines that wait for one that is not
  std::optional<SmilesLine> after_blank_;
};

}  // namespace logpx
