// A CSV file as it is: its cells as rows for a model, and the file again with the empty ones
// filled, all else byte for byte.
//
//   const CsvFile file("t.csv");
//   const TableColumns columns(file, model.info().data);  // by name, in any order; others stay
//   const Rows& rows = columns.rows();
//   write_text_file(out, columns.filled([](std::int64_t, std::int64_t) { return "0"; }));
#pragma once

#include "formats/import/byte_source.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class CsvFile {
 public:
  explicit CsvFile(const std::string& path) : CsvFile(path, path) {}  // gzip is inflated
  CsvFile(const std::string& path, std::string name);                 // as messages call it
  CsvFile(std::string name, std::vector<std::byte> bytes);

  struct Cell {
    std::string text;                  // without quotes, trimmed
    std::uint64_t begin = 0, end = 0;  // its place in the file
  };
  struct Line {
    std::uint64_t number = 1;  // of its first character
    std::vector<Cell> cells;
  };
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }  // blank ones left out
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] char delimiter() const { return delimiter_; }
  [[nodiscard]] const SourceFile& source() const { return source_; }

 private:
  void read();
  std::string name_;
  std::vector<std::byte> bytes_;
  std::vector<Line> lines_;
  SourceFile source_;
  char delimiter_ = ',';
};

// The columns that a model reads, found by their names. A table without a line of names must have
// just these, in their order. Columns that may be absent are then missing in every row.
class TableColumns {
 public:
  // A data error names the column that is missing, or the cell that is no number. Words and numbers
  // that are new to the model become new_value.
  TableColumns(const CsvFile& table, const DatasetInfo& model,
               std::vector<std::string> may_be_absent = {});

  [[nodiscard]] const DatasetInfo& info() const { return info_; }
  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] const CsvFile::Line& line(std::int64_t row) const {
    return table_.lines()[first_line_ + static_cast<std::size_t>(row)];
  }
  [[nodiscard]] const std::string& text(std::int64_t row, std::int64_t column) const {
    return line(row).cells[places_[static_cast<std::size_t>(column)]].text;
  }
  // Names of all columns of the file, and the cells of one of them.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::string& cell(std::int64_t row, std::size_t place) const {
    return line(row).cells[place].text;
  }
  // Whether a cell is none of the words or categories that its column has.
  [[nodiscard]] bool is_new(std::int64_t row, std::int64_t column) const;
  // Columns of the file that the model does not read.
  [[nodiscard]] std::int64_t others() const { return others_; }
  // The file with missing cells replaced by what `fill` gives for them, quoted where needed.
  using Fill = std::function<std::string(std::int64_t row, std::int64_t column)>;
  [[nodiscard]] std::string filled(const Fill& fill) const;

 private:
  static constexpr float new_value = -2;  // no word and no category has this number
  static constexpr std::size_t absent = std::string::npos;

  void find_columns();
  void read_cells();
  [[nodiscard]] float value_of(std::int64_t row, std::int64_t column) const;
  [[nodiscard]] float cell_of(std::int64_t row, std::int64_t column) const;
  [[nodiscard]] float number_of(std::int64_t row, std::int64_t column) const;
  [[noreturn]] void refuse(std::int64_t row, std::int64_t column, const std::string& what,
                           const std::string& hint) const;

  const CsvFile& table_;
  DatasetInfo info_;
  Rows rows_;
  std::vector<std::span<const std::string>> words_;  // of each column of the model
  std::vector<std::string> names_, may_be_absent_;
  std::vector<std::size_t> places_;  // of each column of the model in a line
  std::size_t first_line_ = 0;       // of the rows
  std::int64_t others_ = 0;
};

// Whether a cell is one of those that CSV files have for a missing value: empty, "NA", "nan" ...
[[nodiscard]] bool is_missing_cell(const std::string& text);

}  // namespace logpx
