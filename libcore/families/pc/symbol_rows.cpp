#include "libcore/families/pc/symbol_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace logpx::pc {

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
  for (const std::int64_t row : numbers) columns.lengths.push_back(steps_of(examples, row));
  columns.steps = columns.lengths.empty() ? 1 : std::ranges::max(columns.lengths);
  columns.x.assign(at(columns.steps * variables * columns.count), -1);
  std::vector<float> values(at(examples.info.dims()));
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    const std::int64_t row = numbers[c];
    row_values(examples.info, examples.rows, {.from = row, .number = examples.first + row}, rules_,
               noise, values);
    std::size_t symbols = at(columns.lengths[c] * variables);
    if (!examples.rows.length.empty() && circuit_.chained())
      symbols = at(std::int64_t{examples.rows.length[at(row)]});
    for (std::size_t i = 0; i < std::min(symbols, values.size()); ++i) {
      const std::int64_t categories = circuit_.variables[i % at(variables)].categories;
      const float value = values[i];
      if (std::isnan(value) || value == -1.0F) continue;
      if (!(value >= 0 && value < static_cast<float>(categories)))
        fail(ErrorKind::data, examples.info.name,
             "row " + std::to_string(examples.first + row) + ", place " + std::to_string(i) +
                 " is " + to_text(static_cast<double>(value)) + ", and the circuit knows 0 to " +
                 std::to_string(categories - 1));
      columns.x[i * numbers.size() + c] = static_cast<std::int32_t>(value);
    }
  }
}

Columns SymbolRows::take_all(const Examples& examples) const {
  std::vector<std::int64_t> all(at(examples.rows.count));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  Columns columns;
  take(examples, all, evaluation_noise(rules_), columns);
  return columns;
}

}  // namespace logpx::pc
