#include "libcore/families/pc/structures/learned_tree.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/chow_liu.hpp"
#include "libcore/math/mutual_information.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

constexpr double smoothing = 0.01;  // alpha of spec/pc.md 4.2

// The bins of every variable, variable by variable.
std::vector<std::uint16_t> binned_values(const SymbolRows& reader, const Circuit& circuit,
                                         const Examples& examples, std::int64_t rows, int bins) {
  const auto variables = std::ssize(circuit.variables);
  std::vector<std::uint16_t> values(at(variables * rows));
  const RowNoise noise = evaluation_noise(reader.rules());
  Columns columns;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t row = i * examples.rows.count / rows;
    reader.take(examples, std::span(&row, 1), noise, columns);
    for (std::int64_t v = 0; v < variables; ++v)
      values[at(v * rows + i)] =
          hard_bin(columns.x[at(v)], bins, circuit.variables[at(v)].categories);
  }
  return values;
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
  const auto bins = static_cast<int>(std::min(search.bins, variables[0].categories));
  const std::int64_t rows = std::min(search.samples, examples.rows.count);
  const std::vector<std::uint16_t> values = binned_values(reader, alone, examples, rows, bins);
  const std::vector<double> nats = mutual_information(
      {.values = values, .variables = count, .rows = rows, .bins = bins}, smoothing, workers);
  const SpanningTree tree = chow_liu_tree(nats, count, search.root);
  return {tree.parent.begin(), tree.parent.end()};
}

}  // namespace logpx::pc
