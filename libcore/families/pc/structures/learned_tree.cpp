#include "libcore/families/pc/structures/learned_tree.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/chow_liu.hpp"
#include "libcore/math/mutual_information.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::pc {
namespace {

constexpr double smoothing = 0.01;  // alpha of spec/pc.md 4.2

// Rows spread over the data, variable by variable: real numbers as they are, categories as theirs,
// NaN where a value is missing.
std::vector<double> some_values(const SymbolRows& reader, const Circuit& circuit,
                                const Examples& examples, std::int64_t rows) {
  const auto variables = std::ssize(circuit.variables);
  std::vector<double> values(at(variables * rows));
  const RowNoise noise = evaluation_noise(reader.rules());
  Columns columns;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t row = i * examples.rows.count / rows;
    reader.take(examples, std::span(&row, 1), noise, columns);
    for (std::int64_t v = 0; v < variables; ++v) {
      const ColumnValues at_v = columns.of(0, variables, static_cast<int>(v));
      values[at(v * rows + i)] = at_v.missing(0)
                                     ? std::numeric_limits<double>::quiet_NaN()
                                     : at_v.number(0, circuit.variables[at(v)].categories);
    }
  }
  return values;
}

// Bins of categories hold neighbours; those of real numbers are equally wide.
void put_in_bins(std::span<const double> values, std::int64_t categories, int bins,
                 std::span<std::uint16_t> to) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values)
    if (!std::isnan(value)) low = std::min(low, value), high = std::max(high, value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) to[i] = missing_bin;
    else if (categories > 0)
      to[i] = hard_bin(static_cast<std::int64_t>(values[i]), bins, categories);
    else
      to[i] = high > low ? static_cast<std::uint16_t>(
                               std::min(bins - 1.0, (values[i] - low) / (high - low) * bins))
                         : std::uint16_t{0};
  }
}

// What every two of these variables tell of each other.
std::vector<double> information(const std::vector<Variable>& variables,
                                std::span<const double> values, std::int64_t most_bins,
                                Workers& workers) {
  const auto count = std::ssize(variables), rows = std::ssize(values) / count;
  const auto real = [](const Variable& variable) { return variable.categories == 0; };
  if (std::ranges::all_of(variables, real)) return normal_information(values, count, workers);
  std::int64_t bins = 2;
  for (const Variable& variable : variables)
    bins = std::max(bins, real(variable) ? most_bins : std::min(most_bins, variable.categories));
  std::vector<std::uint16_t> binned(values.size());
  for (std::int64_t v = 0; v < count; ++v)
    put_in_bins(values.subspan(at(v * rows), at(rows)), variables[at(v)].categories,
                static_cast<int>(bins), std::span(binned).subspan(at(v * rows), at(rows)));
  return mutual_information(
      {.values = binned, .variables = count, .rows = rows, .bins = static_cast<int>(bins)},
      smoothing, workers);
}

}  // namespace

std::vector<std::int32_t> learn_tree(const RowRules& rules, const std::vector<Variable>& variables,
                                     const Examples& examples, const TreeSearch& search,
                                     Workers& workers) {
  const auto count = std::ssize(variables);
  if (search.root && *search.root >= count)
    fail(ErrorKind::usage, "--root",
         "is " + std::to_string(*search.root) + ", and the variables are 0 to " +
             std::to_string(count - 1));
  Circuit alone;
  alone.variables = variables;
  const SymbolRows reader(rules, alone);
  const std::int64_t rows = std::min(search.samples, examples.rows.count);
  const std::vector<double> values = some_values(reader, alone, examples, rows);
  const std::vector<double> nats = information(variables, values, search.bins, workers);
  const SpanningTree tree = chow_liu_tree(nats, count, search.root);
  return {tree.parent.begin(), tree.parent.end()};
}

}  // namespace logpx::pc
