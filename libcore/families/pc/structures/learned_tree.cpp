#include "libcore/families/pc/structures/learned_tree.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/chow_liu.hpp"
#include "libcore/math/mutual_information.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::pc {
namespace {

constexpr double smoothing = 0.01;                // added to every cell of a pair's table
constexpr std::int64_t most_variables = 1 << 14;  // every pair of them takes a number

// The number of bins, and whether 0 has one of its own.
struct Binning {
  std::int64_t most = 0;
  Ground ground = Ground::none;
};

// Values of rows that are spread over the data, variable by variable; NaN where one is missing.
std::vector<double> some_values(const TreeRows& from, std::int64_t rows) {
  Circuit alone;
  alone.variables = from.variables;
  const SymbolRows reader(from.rules, alone);
  const auto variables = std::ssize(from.variables);
  std::vector<double> values(at(variables * rows));
  const RowNoise noise = evaluation_noise(from.rules);
  Columns columns;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t row = i * from.examples.rows.count / rows;
    reader.take(from.examples, std::span(&row, 1), noise, columns);
    for (std::int64_t v = 0; v < variables; ++v) {
      const ColumnValues at_v = columns.of(0, variables, static_cast<int>(v));
      values[at(v * rows + i)] = at_v.missing(0) ? std::numeric_limits<double>::quiet_NaN()
                                                 : at_v.number(0, from.variables[at(v)].categories);
    }
  }
  return values;
}

// Rows in which a variable is not at its commonest value; for a real variable all rows.
std::vector<std::int64_t> varied_rows(const std::vector<Variable>& variables,
                                      std::span<const double> values, std::int64_t rows) {
  std::vector<std::int64_t> varied;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    std::vector<std::int64_t> counts(at(variables[v].categories), 0);
    std::int64_t seen = 0;
    for (const double value : values.subspan(v * at(rows), at(rows))) {
      if (std::isnan(value)) continue;
      ++seen;
      if (!counts.empty()) ++counts[at(static_cast<std::int64_t>(value))];
    }
    varied.push_back(counts.empty() ? rows : seen - std::ranges::max(counts));
  }
  return varied;
}

// The variables that vary enough; at least one.
std::vector<std::int64_t> inner_variables(std::span<const std::int64_t> varied, double least,
                                          std::optional<std::int64_t> root) {
  std::vector<std::int64_t> inner;
  for (std::int64_t v = 0; v < std::ssize(varied); ++v)
    if (static_cast<double>(varied[at(v)]) >= least || v == root) inner.push_back(v);
  if (inner.empty()) inner.push_back(0);
  return inner;
}

// The inner variable that shares most information with a variable.
std::int64_t host_of(std::span<const double> nats, std::span<const std::int64_t> inner) {
  return *std::ranges::max_element(inner, {}, [&](std::int64_t v) { return nats[at(v)]; });
}

std::uint16_t bin_of(std::int64_t x, std::int64_t categories, const Binning& binning) {
  const auto bins = static_cast<int>(binning.most);
  if (binning.ground == Ground::none) return hard_bin(x, bins, categories);
  if (x == 0) return 0;
  return static_cast<std::uint16_t>(1 + hard_bin(x - 1, bins - 1, categories - 1));
}

// Bins of categories hold neighbouring values; bins of real numbers are equally wide.
void put_in_bins(std::span<const double> values, std::int64_t categories, const Binning& binning,
                 std::span<std::uint16_t> to) {
  const auto bins = static_cast<int>(binning.most);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values)
    if (!std::isnan(value)) low = std::min(low, value), high = std::max(high, value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) to[i] = missing_bin;
    else if (categories > 0)
      to[i] = bin_of(static_cast<std::int64_t>(values[i]), categories, binning);
    else
      to[i] = high > low ? static_cast<std::uint16_t>(
                               std::min(bins - 1.0, (values[i] - low) / (high - low) * bins))
                         : std::uint16_t{0};
  }
}

// Mutual information of every pair of variables, in nats.
std::vector<double> information(const std::vector<Variable>& variables,
                                std::span<const double> values, Binning binning, Workers& workers) {
  const auto count = std::ssize(variables), rows = std::ssize(values) / count;
  const auto real = [](const Variable& variable) { return variable.categories == 0; };
  if (std::ranges::all_of(variables, real)) return normal_information(values, count, workers);
  std::int64_t bins = 2;
  for (const Variable& variable : variables)
    bins =
        std::max(bins, real(variable) ? binning.most : std::min(binning.most, variable.categories));
  binning.most = bins;
  std::vector<std::uint16_t> binned(values.size());
  for (std::int64_t v = 0; v < count; ++v)
    put_in_bins(values.subspan(at(v * rows), at(rows)), variables[at(v)].categories, binning,
                std::span(binned).subspan(at(v * rows), at(rows)));
  return mutual_information(
      {.values = binned, .variables = count, .rows = rows, .bins = static_cast<int>(binning.most)},
      smoothing, workers);
}

// The tree over the inner variables; every other variable hangs on its host.
LearnedTree hang_on(const SpanningTree& spanning, std::span<const std::int64_t> inner,
                    std::span<const double> nats, std::int64_t count) {
  LearnedTree tree{std::vector<std::int32_t>(at(count), -1),
                   std::vector<std::int32_t>(at(count), -1)};
  std::vector<bool> is_inner(at(count));
  for (std::size_t i = 0; i < inner.size(); ++i) {
    is_inner[at(inner[i])] = true;
    if (spanning.parent[i] >= 0)
      tree.parents[at(inner[i])] = static_cast<std::int32_t>(inner[at(spanning.parent[i])]);
  }
  for (std::int64_t v = 0; v < count; ++v) {
    if (is_inner[at(v)]) continue;
    const std::span<const double> of_variable = nats.subspan(at(v * count), at(count));
    tree.parents[at(v)] = tree.hosts[at(v)] =
        static_cast<std::int32_t>(host_of(of_variable, inner));
  }
  return tree;
}

}  // namespace

void TreeSearch::describe(Fields& f, const Condition& used) {
  f.add("mi-samples", samples, "rows from which the tree is learned")
      .range(1, 1 << 24)
      .when(used)
      .rank(Rank::manual);
  f.add("mi-bins", bins, "bins of values when it does, at most")
      .range(2, 1024)
      .shows_default("64, with a dictionary 8")
      .when(used)
      .rank(Rank::manual);
  f.add("least-varied", least_varied,
        "variables that leave their commonest value in a smaller share of the rows hang on the "
        "hidden state of another")
      .range(0, 1)
      .shows_default("0, with a dictionary 0.001")
      .when(used)
      .rank(Rank::manual);
  f.add("root", root, "variable at the top of the tree")
      .at_least(0)
      .shows_default("in the middle of the tree")
      .when(used)
      .rank(Rank::manual);
}

LearnedTree learn_tree(const TreeRows& rows, const TreeSearch& search, Workers& workers) {
  const auto count = std::ssize(rows.variables);
  if (count > most_variables)
    fail(ErrorKind::usage, "--structure",
         "would learn a tree over " + std::to_string(count) +
             " columns, which compares every two, and " + std::to_string(most_variables) +
             " are the most",
         "pack-data csv FILE --columns 1-1000");
  if (search.root && *search.root >= count)
    fail(ErrorKind::usage, "--root",
         "is " + std::to_string(*search.root) + ", and the variables are 0 to " +
             std::to_string(count - 1));
  const bool grey = rows.ground == Ground::zero;
  const std::int64_t looked = std::min(search.samples, rows.examples.rows.count);
  const std::vector<double> values = some_values(rows, looked);
  const Binning binning{.most = search.bins.value_or(grey ? 8 : 64), .ground = rows.ground};
  const std::vector<double> nats = information(rows.variables, values, binning, workers);
  const double least = search.least_varied.value_or(grey ? 0.001 : 0);
  const std::vector<std::int64_t> inner =
      inner_variables(varied_rows(rows.variables, values, looked),
                      least * static_cast<double>(looked), search.root);
  std::vector<double> between;
  std::optional<std::int64_t> root;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (search.root == inner[i]) root = static_cast<std::int64_t>(i);
    for (const std::int64_t other : inner) between.push_back(nats[at(inner[i] * count + other)]);
  }
  return hang_on(chow_liu_tree(between, std::ssize(inner), root), inner, nats, count);
}

}  // namespace logpx::pc
