#include "libcore/families/pc/symbol_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/model/queries.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace logpx::pc {

namespace {

// Whether a value is a category of this variable; a variable without categories takes reals.
bool is_known(float value, std::int64_t categories) {
  if (categories == 0) return std::isfinite(value);
  return value >= 0 && value < static_cast<float>(categories) && value == std::floor(value);
}

std::string place_text(const DatasetInfo& data, std::int64_t place) {
  if (!data.is_table()) return "place " + std::to_string(place);
  return (data.column_names.empty() ? "" : "column ") + data.column_name(place);
}

// The category of a value of a table of numbers; nothing for a new one.
std::optional<std::int32_t> category_of(float value, const Variable& variable) {
  const auto place = std::ranges::lower_bound(variable.values, static_cast<double>(value));
  if (place == variable.values.end() || *place != static_cast<double>(value)) return std::nullopt;
  return static_cast<std::int32_t>(place - variable.values.begin());
}

}  // namespace

bool is_missing_value(float value, const DatasetInfo& data) {
  return std::isnan(value) || (data.element != Element::f32 && value == -1.0F);
}

std::int64_t SymbolRows::steps_of(const Examples& examples, std::int64_t row) const {
  if (!circuit_.chained()) return 1;
  const auto variables = std::ssize(circuit_.variables);
  const std::vector<std::int32_t>& lengths = examples.rows.length;
  const std::int64_t symbols = lengths.empty() ? examples.info.dims() : lengths[at(row)];
  return (symbols + variables - 1) / variables;
}

void SymbolRows::take(const Examples& examples, std::span<const std::int64_t> numbers,
                      const RowNoise& noise, Columns& columns) const {
  const auto variables = std::ssize(circuit_.variables);
  columns.count = std::ssize(numbers);
  columns.lengths.clear();
  columns.styles.clear();
  for (const std::int64_t row : numbers) columns.lengths.push_back(steps_of(examples, row));
  columns.steps = columns.lengths.empty() ? 1 : std::ranges::max(columns.lengths);
  columns.x.assign(at(columns.steps * variables * columns.count), -1);
  columns.reals.assign(circuit_.has_reals() ? columns.x.size() : 0, 0.0F);
  std::vector<float> values(at(examples.info.dims()));
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    const std::int64_t row = numbers[c];
    row_values(examples.info, examples.rows, {.from = row, .number = examples.first + row}, rules_,
               noise, values);
    std::size_t symbols = at(columns.lengths[c] * variables);
    if (!examples.rows.length.empty())  // values after the end of a row are missing
      symbols = at(std::int64_t{examples.rows.length[at(row)]});
    for (std::size_t i = 0; i < std::min(symbols, values.size()); ++i) {
      if (is_missing_value(values[i], examples.info)) continue;
      const std::size_t place = i * numbers.size() + c;
      columns.x[place] =
          symbol_of({examples.first + row, static_cast<std::int64_t>(i), values[i]}, examples.info);
      const bool real = circuit_.variables[i % at(variables)].categories == 0;
      if (real && columns.x[place] >= 0) columns.reals[place] = values[i];
    }
  }
}

std::int32_t SymbolRows::symbol_of(const Cell& cell, const DatasetInfo& data) const {
  const Variable& variable = circuit_.variables[at(cell.place % std::ssize(circuit_.variables))];
  const std::int64_t categories = variable.categories;
  if (!variable.values.empty()) {
    if (const auto category = category_of(cell.value, variable)) return *category;
  } else if (is_known(cell.value, variable.known())) {
    return categories == 0 ? 0 : static_cast<std::int32_t>(cell.value);
  }
  if (variable.open && std::isfinite(cell.value))
    return static_cast<std::int32_t>(variable.known());
  if (others_ == NewValues::marked) return Evidence::new_value;
  fail(ErrorKind::data, data.name,
       "row " + std::to_string(cell.row) + ", " + place_text(data, cell.place) + " is " +
           to_text(static_cast<double>(cell.value)) + ", and the model knows " +
           (categories == 0           ? "finite numbers"
            : variable.values.empty() ? "0 to " + std::to_string(categories - 1)
                                      : std::to_string(categories) + " other values"));
}

void SymbolRows::to_rows(const Columns& columns, std::span<double> log_p) const {
  const std::vector<double>& deviation = rules_.columns.deviation;
  const std::size_t count = at(columns.count), values = columns.x.size() / count;
  for (std::size_t c = 0; c < count; ++c) {
    bool empty = columns.regions == nullptr;
    for (std::size_t v = 0; v < values && (empty || v < deviation.size()); ++v) {
      if (columns.x[v * count + c] < 0) continue;
      empty = false;
      if (v < deviation.size()) log_p[c] -= det_log(deviation[v]);
    }
    if (empty) log_p[c] = 0;
  }
}

float SymbolRows::as_read(float value, std::int64_t place) const {
  return static_cast<float>(standardised(static_cast<double>(value), place));
}

double SymbolRows::standardised(double value, std::int64_t place) const {
  const Standardisation& columns = rules_.columns;
  return columns.empty() ? value : (value - columns.mean[at(place)]) / columns.deviation[at(place)];
}

double SymbolRows::in_units(double value, std::int64_t place) const {
  const Standardisation& columns = rules_.columns;
  return columns.empty() ? value : value * columns.deviation[at(place)] + columns.mean[at(place)];
}

SymbolRows SymbolRows::of_evidence() const {
  RowRules rules = rules_;
  rules.columns = {};
  rules.transform = Transform::none;
  return {std::move(rules), circuit_, NewValues::marked};
}

Columns SymbolRows::take_all(const Examples& examples) const {
  std::vector<std::int64_t> all(at(examples.rows.count));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  Columns columns;
  take(examples, all, evaluation_noise(rules_), columns);
  return columns;
}

}  // namespace logpx::pc
