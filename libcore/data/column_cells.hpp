// Cells of a table's columns as text, and the way back.   [data/README 2.3]
//
//   ColumnCells cells(info);
//   const std::string cell = cells.text(2, 1234.5);   // "1,234.50", as column 2 writes its numbers
//   const auto value = cells.stored(2, "1,234.50");   // 1234.5; nothing for what is no such cell
#pragma once

#include "libcore/data/dataset.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// The cell, not quoted, of a value of x in a column that holds numbers. Whole numbers and dates are
// rounded.
[[nodiscard]] std::string number_cell(const ColumnForm& form, double stored);

// What is expected in a column of numbers: "39.2 ± 2.6", "2024-03-01 ± 12 days". Both in stored
// numbers.
struct CellMoments {
  double mean = 0, deviation = 0;
};
[[nodiscard]] std::string expected_cell(const ColumnForm& form, const CellMoments& expected);

// What a cell is in the units of the table: a number, or days or seconds. Nothing for a text that
// is no cell of such a column.
[[nodiscard]] std::optional<double> value_of_cell(const ColumnForm& form, std::string_view text);

// All columns of a table; those of older files have no forms, and hold numbers as they are. Keeps
// views of `info`.
class ColumnCells {
 public:
  explicit ColumnCells(const DatasetInfo& info);

  // The cell of a value of x: a word, or a number as its column writes it. Nothing where it is
  // missing; a value that no word has is its number.
  [[nodiscard]] std::string text(std::int64_t column, double stored) const;
  // The value of x of a cell: words that are none of the column's are nothing, too.
  [[nodiscard]] std::optional<double> stored(std::int64_t column, std::string_view text) const;
  [[nodiscard]] std::span<const std::string> words(std::int64_t column) const;

 private:
  const DatasetInfo* info_;
  std::vector<std::span<const std::string>> words_;
};

}  // namespace logpx
