// Named columns as text: CSV and JSON lines, for join, awk, pandas, R; and aligned, for people.
#pragma once

#include "formats/json/value.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace logpx {

enum class TableForm { csv, json_lines, aligned };

class TextTable {
 public:
  // How CSV and people see the numbers of a column; none: as their shortest decimals.
  using NumberText = std::function<std::string(double)>;
  // All columns have as many cells. A cell is a number, a text, or null where there is neither.
  void add(std::string name, std::vector<Json> cells, NumberText number_text = {});
  // CSV: a line of names, then the rows; -inf and nan as readers of CSV take them. JSON lines: an
  // object for each row, where a number that is not finite is null. Aligned: for people, reals to
  // four digits.
  [[nodiscard]] std::string text(TableForm form) const;
  // The first rows as objects, for a report.
  [[nodiscard]] Json records(std::size_t most) const;
  [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }

 private:
  [[nodiscard]] std::string csv() const;
  [[nodiscard]] std::string json_lines() const;
  [[nodiscard]] std::string aligned() const;
  [[nodiscard]] Json record(std::size_t row) const;

  std::vector<std::string> names_;
  std::vector<std::vector<Json>> columns_;
  std::vector<NumberText> number_texts_;
};

}  // namespace logpx
