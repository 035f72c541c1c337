// What is known of the columns of a table: what each holds and how its cells are written, the words
// of columns of words, means and deviations.   [data/README 2.3]
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// What the cells of a column are. An id names its row: it is no part of x.
enum class ColumnKind { number, whole, date, word, ordered, id, constant };

[[nodiscard]] const char* word_of(ColumnKind kind);
[[nodiscard]] std::optional<ColumnKind> column_kind(std::string_view word);

// A column of x, and how a cell of the table is made of what x holds. A cell v of numbers is
// origin + step times what is stored; for dates v counts days, or seconds where the form has a
// time (date_form.hpp). Columns of words store the numbers of their words, origin 0 and step 1. A
// constant is either.
struct ColumnForm {
  ColumnKind kind = ColumnKind::number;
  double origin = 0, step = 1;
  // Digits behind the point; more_digits: as many as tell two floats apart.
  std::int64_t decimals = 0;
  std::string form = {};  // of dates "%Y-%m-%d"; of numbers "before:$" (number_form.hpp)

  static constexpr std::int64_t more_digits = -1;
  [[nodiscard]] double value_of(double stored) const { return origin + step * stored; }
  [[nodiscard]] double stored_of(double value) const { return (value - origin) / step; }
  friend bool operator==(const ColumnForm&, const ColumnForm&) = default;
};

// A data error where it makes no sense. Anyone may have written it.
void check_form(const ColumnForm& form);

// Models read (x - mean) / deviation of each column; datasets and samples hold x. Empty: x itself.
struct Standardisation {
  std::vector<double> mean = {}, deviation = {};  // [dims]

  [[nodiscard]] bool empty() const { return mean.empty(); }
  // log p of x less log p of what a model reads: -sum log deviation.
  [[nodiscard]] double log_jacobian() const;
  friend bool operator==(const Standardisation&, const Standardisation&) = default;
};

// The words of a table's columns of words: a value is the number of its word, also in a table of
// reals.
struct ColumnWords {
  std::vector<std::string> words = {};    // of one column after the other
  std::vector<std::int64_t> counts = {};  // [dims]; 0: a column of numbers

  [[nodiscard]] bool empty() const { return words.empty(); }
  void add_column(std::span<const std::string> of_column);
  // The words of each column: none for a column of numbers.
  [[nodiscard]] std::vector<std::span<const std::string>> by_column(std::int64_t columns) const;
  friend bool operator==(const ColumnWords&, const ColumnWords&) = default;
};

}  // namespace logpx
