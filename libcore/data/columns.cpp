#include "libcore/data/columns.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/date_form.hpp"
#include "libcore/data/number_form.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace logpx {
namespace {

constexpr std::array kind_words = {"number", "whole", "date", "word", "ordered", "id", "constant"};

// Further than any table needs, and far from where doubles end.
constexpr double largest_origin = 1e300, smallest_step = 1e-300, largest_step = 1e300;
constexpr std::int64_t most_decimals = 17, most_of_seconds = 9;

}  // namespace

const char* word_of(ColumnKind kind) { return kind_words[static_cast<std::size_t>(kind)]; }

std::optional<ColumnKind> column_kind(std::string_view word) {
  const auto found = std::ranges::find(kind_words, word);
  if (found == kind_words.end()) return std::nullopt;
  return static_cast<ColumnKind>(found - kind_words.begin());
}

void check_form(const ColumnForm& form) {
  const bool words = form.kind == ColumnKind::word || form.kind == ColumnKind::ordered;
  if (!(std::abs(form.origin) <= largest_origin) || (words && form.origin != 0))
    fail(ErrorKind::data, "origin", "is " + to_text(form.origin));
  if (!(form.step >= smallest_step && form.step <= largest_step) || (words && form.step != 1))
    fail(ErrorKind::data, "step", "is " + to_text(form.step) + ", which is no step between values");
  const bool date = is_date_form(form.form), number = parse_number_form(form.form).has_value();
  if (form.decimals < (date ? 0 : ColumnForm::more_digits) ||
      form.decimals > (date ? most_of_seconds : most_decimals))
    fail(ErrorKind::data, "decimals", "holds " + std::to_string(form.decimals));
  const bool fits = form.kind == ColumnKind::date       ? date
                    : form.kind == ColumnKind::constant ? date || number
                    : words                             ? form.form.empty()
                                                        : number;
  if (!fits)
    fail(ErrorKind::data, "form",
         "'" + form.form + "' is no form of a column of kind " + word_of(form.kind));
  if (form.kind == ColumnKind::id)
    fail(ErrorKind::data, "kind", "is id, and an id is no part of a table's rows");
}

double Standardisation::log_jacobian() const {
  double sum = 0;
  for (const double one : deviation) sum -= det_log(one);
  return sum;
}

void ColumnWords::add_column(std::span<const std::string> of_column) {
  words.insert(words.end(), of_column.begin(), of_column.end());
  counts.push_back(std::ssize(of_column));
}

std::vector<std::span<const std::string>> ColumnWords::by_column(std::int64_t columns) const {
  std::vector<std::span<const std::string>> parts(static_cast<std::size_t>(columns));
  std::size_t first = 0;
  for (std::size_t column = 0; column < counts.size(); ++column) {
    const auto count = static_cast<std::size_t>(counts[column]);
    parts[column] = std::span(words).subspan(first, count);
    first += count;
  }
  return parts;
}

}  // namespace logpx
