// Tables, draws and most probable explanations of circuits, against enumeration.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/queries/leaf_tables.hpp"
#include "libcore/families/pc/queries/paths.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/held_circuit.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>

namespace logpx::ways_down_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;  // not pc::SymbolRows, which reads rows

namespace {

std::int64_t categories_of(const Circuit& circuit, std::size_t value) {
  return circuit.variables[value % circuit.variables.size()].categories;
}

// Probabilities of all fillings of the missing values, given the others.
std::map<std::vector<std::int32_t>, double> completions(const HeldCircuit& held,
                                                        const std::vector<std::int32_t>& row) {
  SymbolRows rows = {row};
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] >= 0) continue;
    SymbolRows more;
    for (const auto& one : rows)
      for (std::int32_t k = 0; k < categories_of(held.plan.circuit(), i); ++k) {
        more.push_back(one);
        more.back()[i] = k;
      }
    rows = more;
  }
  const double evidence = held.log_p({row})[0];
  const std::vector<double> nats = held.log_p(rows);
  std::map<std::vector<std::int32_t>, double> all;
  for (std::size_t i = 0; i < rows.size(); ++i) all[rows[i]] = std::exp(nats[i] - evidence);
  return all;
}

SymbolRows rows_of(const Columns& columns, std::int64_t variables) {
  SymbolRows rows;
  for (std::int64_t c = 0; c < columns.count; ++c) {
    rows.emplace_back();
    for (std::int64_t i = 0; i < columns.lengths[at(c)] * variables; ++i)
      rows.back().push_back(columns.x[at(i * columns.count + c)]);
  }
  return rows;
}

// Draws given a row, from this many columns side by side.
SymbolRows drawn(const HeldCircuit& held, const std::vector<std::int32_t>& row,
                 std::int64_t count) {
  std::vector<DrawCursor> draws;
  for (std::int64_t c = 0; c < count; ++c)
    draws.emplace_back(Rng(5).stream(Stream::test, static_cast<std::uint32_t>(c)));
  DrawnChoice choice(draws);
  const auto variables = std::ssize(held.plan.circuit().variables);
  const Columns given = columns_of(SymbolRows(at(count), row), variables);
  Columns filled = given;
  Paths<double> way(choice, filled);
  std::vector<double> nats(at(count));
  Pass<double>(held.plan, {.columns = count}).descend({held.theta}, given, nats, way);
  return rows_of(filled, variables);
}

}  // namespace

TEST_CASE("pc: tables of all variables are conditionals given every other value") {
  for (const SmallCircuit& named : small_circuits()) {
    CAPTURE(named.name);
    HeldCircuit held(named.circuit);
    held.draw(1);
    const auto variables = std::ssize(named.circuit.variables);
    const Columns columns = columns_of(named.rows, variables);
    const std::int64_t categories = most_categories(named.circuit);
    std::vector<double> all, nats(named.rows.size());
    LeafTables<double> way(named.circuit, columns, all);
    Pass<double>(held.plan, {.keep_every = 2}).descend({held.theta}, columns, nats, way);
    way.normalise();
    for (std::size_t c = 0; c < named.rows.size(); ++c) {
      const std::int64_t values = columns.steps * variables;
      std::size_t place = c * at(values * categories);
      for (std::size_t i = 0; i < named.rows[c].size(); ++i) {
        std::vector<std::int32_t> row = named.rows[c];
        row[i] = -1;
        const double others = held.log_p({row})[0];
        for (std::int32_t k = 0; k < categories_of(named.circuit, i); ++k, ++place) {
          row[i] = k;
          CHECK(std::abs(all[place] - std::exp(held.log_p({row})[0] - others)) < 1e-12);
        }
        for (std::int64_t k = categories_of(named.circuit, i); k < categories; ++k, ++place)
          CHECK(all[place] == 0);
      }
      for (; place < (c + 1) * at(values * categories); ++place) CHECK(all[place] == 0);
    }
  }
}

TEST_CASE("pc: draws keep what is given and follow the exact conditionals") {
  constexpr std::int64_t count = 20'000;
  for (const SmallCircuit& named : small_circuits()) {
    HeldCircuit held(named.circuit);
    held.draw(2);
    for (const auto& row : named.rows) {
      CAPTURE(named.name);
      std::map<std::vector<std::int32_t>, double> seen;
      for (const auto& one : drawn(held, row, count)) seen[one] += 1;
      double chi_square = 0, cells = -1;
      for (const auto& [one, p] : completions(held, row)) {
        const double expected = p * static_cast<double>(count), off = seen[one] - expected;
        chi_square += off * off / expected;
        ++cells;
      }
      CHECK(seen.size() == completions(held, row).size());
      CHECK(chi_square <= cells + 5 * std::sqrt(2 * cells) + 12);
    }
  }
}

TEST_CASE("pc: a draw depends on its own column's numbers, not on who is drawn beside it") {
  HeldCircuit held(hidden_markov({"x", 3}, square_sum(4, {})));
  held.draw(3);
  const std::vector<std::int32_t> row = {-1, 1, -1, -1};
  const SymbolRows many = drawn(held, row, 7), few = drawn(held, row, 3);
  for (std::size_t c = 0; c < few.size(); ++c) CHECK(many[c] == few[c]);
}

TEST_CASE("pc: the most probable explanation of a Markov model is the best of all state paths") {
  HeldCircuit held(hidden_markov({"x", 3}, square_sum(3, {})));
  held.draw(4);
  const SymbolRows rows = {{0, -1, 2, -1}, {-1, -1}, {1, 1, 0}};
  const std::vector<double> root = held.get("root/w"), move = held.get("transition/w"),
                            symbol = held.get("emission/p");
  const Columns given = columns_of(rows, 1);
  Columns filled = given;
  LargestChoice largest;
  Paths<double> way(largest, filled);
  std::vector<double> nats(rows.size());
  Pass<double>(held.plan, {.keep_every = 2, .over = Over::largest})
      .descend({held.theta}, given, nats, way);
  const SymbolRows explained = rows_of(filled, 1);
  const auto log_joint = [&](const std::vector<std::int32_t>& x,
                             const std::vector<std::int32_t>& z) {
    double sum = std::log(root[at(z[0])]);
    for (std::size_t t = 0; t < x.size(); ++t) {
      sum += std::log(symbol[at(z[t] * 3 + x[t])]);
      if (t > 0) sum += std::log(move[at(z[t - 1] * 3 + z[t])]);
    }
    return sum;
  };
  for (std::size_t c = 0; c < rows.size(); ++c) {
    double best = -std::numeric_limits<double>::infinity();
    const std::vector<std::int32_t> three(rows[c].size(), 3);
    for (const auto& z : all_rows(three))
      for (const auto& [x, p] : completions(held, rows[c])) best = std::max(best, log_joint(x, z));
    CHECK(nats[c] == doctest::Approx(best).epsilon(1e-12));
    std::vector<std::int32_t> states;
    for (std::size_t t = 0; t < rows[c].size(); ++t)
      states.push_back(static_cast<std::int32_t>(way.states()[t * rows.size() + c]));
    CHECK(log_joint(explained[c], states) == doctest::Approx(best).epsilon(1e-12));
  }
}

TEST_CASE("pc: where evidence cannot be, nothing is filled and tables stay zeros") {
  HeldCircuit held(hidden_markov({"x", 2}, square_sum(2, {})));
  held.draw(5);
  held.set("emission/p", {1, 0, 1, 0});
  CHECK(drawn(held, {-1, 1}, 1) == SymbolRows{{-1, 1}});
  CHECK(drawn(held, {-1, 0}, 1) == SymbolRows{{0, 0}});
  std::vector<double> tables, nats(1);
  const Columns columns = columns_of({{-1, 1}}, 1);
  LeafTables<double> way(held.plan.circuit(), columns, tables);
  Pass<double>(held.plan, {}).descend({held.theta}, columns, nats, way);
  way.normalise();
  CHECK(nats[0] == -std::numeric_limits<double>::infinity());
  CHECK(tables == std::vector<double>(4));
}

}  // namespace logpx::ways_down_test
