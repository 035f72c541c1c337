// What circuits say of themselves and of each other, against enumeration of all rows.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/eval/differences.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/passes/scaled_numbers.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace logpx::measures_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

using Row = std::vector<std::int32_t>;

// All rows of three steps of a chain, or of the variables of another circuit.
SymbolRows all_rows_of(const AskedCircuit& asked) {
  const Circuit& circuit = asked.held.plan.circuit();
  const std::size_t steps = circuit.chained() ? 3 : 1;
  Row levels;
  for (std::size_t v = 0; v < steps * circuit.variables.size(); ++v)
    levels.push_back(
        static_cast<std::int32_t>(circuit.variables[v % circuit.variables.size()].categories));
  return all_rows(levels);
}

double inner(const AskedCircuit& a, const AskedCircuit& b) {
  double sum = 0;
  for (const Row& row : all_rows_of(a))
    sum += std::exp(a.held.plain_log_p(row) + b.held.plain_log_p(row));
  return sum;
}

std::int64_t width_of(const AskedCircuit& asked) { return std::ssize(all_rows_of(asked)[0]); }

}  // namespace

TEST_CASE("pc measures: numbers far beyond the range of a double are added in one scale") {
  ScaledNumber sum;
  CHECK(sum.ln() == -std::numeric_limits<double>::infinity());
  sum.add({0.5, -4000});
  CHECK(sum.ln() == doctest::Approx(-4001 * std::numbers::ln2));
  sum.add({0.75, -4001});
  CHECK(sum.ln() == doctest::Approx(std::log(0.875) - 4000 * std::numbers::ln2));
  sum.add({0.5, 2000});  // nothing is left of the others beside it
  CHECK(sum.ln() == doctest::Approx(1999 * std::numbers::ln2));
  ScaledNumbers small{.y = {0.125, 0.0625}, .exponent = -3000};
  small.rescale();
  CHECK((small.y == std::vector<double>{0.5, 0.25}));
  CHECK(small.exponent == -3002);
  const ScaledNumbers smaller{.y = {1}, .exponent = -3004};
  const ScaledNumbers both = joined(std::vector<const ScaledNumbers*>{&small, &smaller});
  CHECK((both.y == std::vector<double>{0.5, 0.25, 0.25}));
  CHECK(both.exponent == -3002);
}

TEST_CASE("pc measures: inner products are sums of p(x) q(x) over all rows") {
  for (const SmallCircuit& named : small_circuits()) {
    CAPTURE(named.name);
    const AskedCircuit a(named.circuit, 3), b(named.circuit, 8);
    const std::int64_t width = width_of(a);
    if (!is_structured_decomposable(named.circuit)) {
      CHECK_THROWS_AS(static_cast<void>(a.queries.log_inner(b.queries, width)), Error);
      continue;
    }
    CHECK(std::abs(std::exp(a.queries.log_inner(b.queries, width)) - inner(a, b)) < 1e-12);
    CHECK(std::abs(std::exp(a.queries.log_inner(a.queries, width)) - inner(a, a)) < 1e-12);
  }
}

TEST_CASE("pc measures: the two may have different numbers of states, and factors") {
  const AskedCircuit a(hidden_markov({"x", 3}, square_sum(4, {})), 3),
      b(hidden_markov({"x", 3}, {.m = {3, 2}, .n = {2, 3}, .program = {}}), 8);
  CHECK(std::abs(std::exp(a.queries.log_inner(b.queries, 3)) - inner(a, b)) < 1e-12);
  CHECK(std::isfinite(a.queries.log_inner(b.queries, 10'000)));
}

TEST_CASE("pc measures: inner products of other forms are refused by name") {
  const AskedCircuit chain(hidden_markov({"x", 3}, square_sum(2, {})), 3),
      other(hidden_markov({"x", 4}, square_sum(2, {})), 3), mixed(mixture({{"a", 3}}, 2), 1);
  const auto why = [&](const AskedCircuit& one) {
    try {
      static_cast<void>(chain.queries.log_inner(one.queries, 3));
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  CHECK(why(mixed).find("it is no chain, and the model is a chain") != std::string::npos);
  CHECK(why(other).find("variable x has 4 categories there, and 3") != std::string::npos);
}

TEST_CASE("pc measures: the product of two normal densities integrates to a normal density") {
  Circuit circuit;
  circuit.variables = {{"a", 0}};
  circuit.blocks = {pc::Block::leaf("l", 1, 0, LeafKind::gaussian),
                    pc::Block::dense_sum("root", 1, {0}, 1)};
  circuit.root = 1;
  const auto normal = [&](double mean, double deviation) {
    HeldCircuit held(circuit);
    held.set("l/q", {mean, deviation});
    held.set("root/w", {1});
    return AskedCircuit(std::move(held));
  };
  const AskedCircuit a = normal(1, 2), b = normal(-0.5, 1);
  const double variance = 5, expected = std::exp(-0.5 * 1.5 * 1.5 / variance) /
                                        std::sqrt(2 * std::numbers::pi * variance);
  CHECK(std::exp(a.queries.log_inner(b.queries, 1)) == doctest::Approx(expected).epsilon(1e-12));
  CHECK(a.queries.joint_entropy(1) ==
        doctest::Approx(0.5 * std::log(2 * std::numbers::pi * std::numbers::e * 4)));
}

TEST_CASE("pc measures: H(x,z) is that of all rows and states, and H(x) that of all rows") {
  const AskedCircuit asked(hidden_markov({"x", 3}, square_sum(2, {})), 3);
  const std::vector<double> root = asked.held.get("root/w"), move = asked.held.get("transition/w"),
                            symbol = asked.held.get("emission/p");
  double joint = 0, alone = 0;
  for (const Row& x : all_rows({3, 3, 3})) {
    for (const Row& z : all_rows({2, 2, 2})) {
      double p = root[at(z[0])];
      for (std::size_t t = 0; t < 3; ++t) {
        if (t > 0) p *= move[at(z[t - 1] * 2 + z[t])];
        p *= symbol[at(z[t] * 3 + x[t])];
      }
      joint -= p * std::log(p);
    }
    const double nats = asked.held.plain_log_p(x);
    alone -= std::exp(nats) * nats;
  }
  CHECK(std::abs(asked.queries.joint_entropy(3) - joint) < 1e-12);
  CHECK(std::abs(exact_entropy(asked.queries, 3, 1 << 20).value() - alone) < 1e-12);
  CHECK_FALSE(exact_entropy(asked.queries, 3, 26));
  const DrawnMean drawn =
      drawn_entropy(asked.queries, {.width = 3, .count = 20'000, .rng = Rng(1)});
  CHECK(std::abs(drawn.value - alone) < 4 * drawn.std_error);
  CHECK(drawn.std_error < 0.01);
}

TEST_CASE("pc measures: hidden choices never lower an entropy") {
  for (const SmallCircuit& named : small_circuits()) {
    CAPTURE(named.name);
    const AskedCircuit asked(named.circuit, 4);
    const std::int64_t width = width_of(asked);
    CHECK(asked.queries.joint_entropy(width) >
          exact_entropy(asked.queries, width, 1 << 20).value());
  }
}

TEST_CASE("pc measures: a divergence by draws is within its error of that of all rows") {
  const Circuit circuit = hidden_markov({"x", 3}, square_sum(2, {}));
  const AskedCircuit p(circuit, 3), q(circuit, 8);
  double exact = 0;
  for (const Row& x : all_rows({3, 3, 3})) {
    const double nats = p.held.plain_log_p(x);
    exact += std::exp(nats) * (nats - q.held.plain_log_p(x));
  }
  const DrawPlan plan{.width = 3, .count = 20'000, .rng = Rng(2)};
  const DrawnMean drawn = drawn_divergence(p.queries, q.queries, plan);
  CHECK(std::abs(drawn.value - exact) < 4 * drawn.std_error);
  CHECK(drawn_divergence(p.queries, p.queries, plan).value == 0);
}

TEST_CASE("pc measures: rows that sum to 1 have one free parameter less than they hold") {
  const AskedCircuit asked(hidden_markov({"x", 3}, square_sum(4, {})), 3);
  CHECK(asked.queries.free_parameters() == 3 + 4 * 3 + 4 * 2);
}

TEST_CASE("pc queries: single precision answers as double precision does, to its digits") {
  for (const SmallCircuit& named : small_circuits()) {
    CAPTURE(named.name);
    const AskedCircuit asked(named.circuit, 4);
    const auto floats = asked.queries.in_floats();
    const Evidence rows = evidence_of(named.rows);
    const std::vector<double> nats = asked.queries.log_p(rows), rounded = floats->log_p(rows);
    const std::vector<double> p = asked.queries.tables(rows).p, q = floats->tables(rows).p,
                              next = asked.queries.next(rows), other = floats->next(rows);
    CHECK(nats != rounded);
    for (std::size_t i = 0; i < nats.size(); ++i) CHECK(std::abs(nats[i] - rounded[i]) < 1e-4);
    for (std::size_t i = 0; i < p.size(); ++i) CHECK(std::abs(p[i] - q[i]) < 1e-4);
    for (std::size_t i = 0; i < next.size(); ++i) CHECK(std::abs(next[i] - other[i]) < 1e-4);
    CHECK(floats->fill(rows, FillBy::draws, Rng(1), 0).x.size() == rows.x.size());
  }
}

}  // namespace logpx::measures_test
