// What circuits answer about rows with missing values, against enumeration.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/eval/best_filling.hpp"
#include "libcore/eval/joint_table.hpp"
#include "libcore/eval/moments.hpp"
#include "libcore/families/pc/queries/drawing.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "libcore/families/pc/text/circuit_text.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::queries_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;  // not pc::SymbolRows, which reads rows

namespace {

using Row = std::vector<std::int32_t>;

// Every filling of the missing values of a row, counting up, with log p of each.
struct Fillings {
  SymbolRows rows;
  std::vector<double> nats;
};

Fillings fillings(const AskedCircuit& asked, const Row& row) {
  Fillings all{.rows = {row}, .nats = {}};
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] >= 0) continue;
    SymbolRows more;
    for (const Row& one : all.rows)
      for (std::int32_t k = 0; k < asked.queries.levels_at(static_cast<std::int64_t>(i)); ++k) {
        more.push_back(one);
        more.back()[i] = k;
      }
    all.rows = std::move(more);
  }
  for (const Row& one : all.rows) all.nats.push_back(asked.held.plain_log_p(one));
  return all;
}

// p of each filling, given the row.
std::vector<double> weights_of(const Fillings& all) {
  double total = 0;
  std::vector<double> p;
  for (const double nats : all.nats) total += p.emplace_back(std::exp(nats));
  for (double& one : p) one /= total;
  return p;
}

void each_circuit(const std::function<void(const AskedCircuit&, const SymbolRows&)>& check) {
  for (const SmallCircuit& named : small_circuits()) {
    CAPTURE(named.name);
    check(AskedCircuit(named.circuit, 7), named.rows);
  }
}

}  // namespace

TEST_CASE("pc queries: log p of what is there is the sum over what is not") {
  each_circuit([](const AskedCircuit& asked, const SymbolRows& rows) {
    const std::vector<double> nats = asked.queries.log_p(evidence_of(rows));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double total = 0;
      for (const double one : fillings(asked, rows[i]).nats) total += std::exp(one);
      CHECK(std::abs(nats[i] - std::log(total)) < 1e-12);
    }
  });
}

TEST_CASE("pc queries: of a row of which nothing is known log p is 0") {
  each_circuit([](const AskedCircuit& asked, const SymbolRows& rows) {
    const auto length = static_cast<std::int64_t>(rows[0].size());
    CHECK(std::abs(asked.queries.log_p(unknown_row(length))[0]) < 1e-12);
  });
}

TEST_CASE("pc queries: next is p of each value given those before it, and these multiply to p(x)") {
  each_circuit([](const AskedCircuit& asked, const SymbolRows& rows) {
    const Evidence evidence = evidence_of(rows);
    const std::vector<double> next = asked.queries.next(evidence);
    const std::int64_t levels = asked.queries.levels();
    for (std::int64_t i = 0; i < evidence.count(); ++i) {
      Row before(evidence.row(i).size(), -1);
      before.resize(at(evidence.lengths[at(i)]));
      double product = 1;
      for (const std::int64_t place : asked.queries.next_order(evidence.width)) {
        if (place >= evidence.lengths[at(i)]) continue;
        const double others = asked.held.plain_log_p(before);
        for (std::int64_t k = 0; k < levels; ++k) {
          const double p = next[at((i * evidence.width + place) * levels + k)];
          if (k >= asked.queries.levels_at(place)) {
            CHECK(p == 0);
            continue;
          }
          Row with = before;
          with[at(place)] = static_cast<std::int32_t>(k);
          CHECK(std::abs(p - std::exp(asked.held.plain_log_p(with) - others)) < 1e-12);
          if (evidence.row(i)[at(place)] == k) product *= p;
        }
        before[at(place)] = evidence.row(i)[at(place)];
      }
      if (missing_places(evidence, i).empty())
        CHECK(std::abs(std::log(product) - asked.held.plain_log_p(before)) < 1e-10);
    }
  });
}

TEST_CASE("pc queries: a tree is read from its root down, whatever its variables are numbered") {
  const Circuit circuit = hidden_tree({{"a", 2}, {"b", 2}, {"c", 2}, {"d", 2}}, {2, 3, -1, 2},
                                      {.transition = square_sum(2, {})});
  const AskedCircuit asked(circuit, 1);
  CHECK(asked.queries.next_order(4) == std::vector<std::int64_t>{2, 0, 3, 1});
}

TEST_CASE("pc queries: p of hidden states sums over all paths") {
  const AskedCircuit asked(hidden_markov({"x", 3}, square_sum(2, {})), 3);
  const SymbolRows rows = {{0, -1, 2}, {1, 1}, {-1}};
  const std::vector<double> q = asked.queries.states(evidence_of(rows));
  const std::vector<double> root = asked.held.get("root/w"), move = asked.held.get("transition/w"),
                            symbol = asked.held.get("emission/p");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double> expected(6);
    double total = 0;
    for (const Row& z : all_rows(Row(rows[i].size(), 2))) {
      double p = root[at(z[0])];
      for (std::size_t t = 0; t < z.size(); ++t) {
        if (t > 0) p *= move[at(z[t - 1] * 2 + z[t])];
        if (rows[i][t] >= 0) p *= symbol[at(z[t] * 3 + rows[i][t])];
      }
      total += p;
      for (std::size_t t = 0; t < z.size(); ++t) expected[t * 2 + at(z[t])] += p;
    }
    for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(q[i * 6 + k] - expected[k] / total) < 1e-12);
  }
}

TEST_CASE("pc queries: joint tables are exact conditionals") {
  each_circuit([](const AskedCircuit& asked, const SymbolRows& rows) {
    const Evidence evidence = evidence_of(rows);
    for (std::int64_t i = 0; i < evidence.count(); ++i) {
      const std::vector<double> expected = weights_of(fillings(asked, rows[at(i)])),
                                p = joint_table(asked.queries, evidence, i,
                                                {asked.queries, missing_places(evidence, i)});
      REQUIRE(p.size() == expected.size());
      for (std::size_t k = 0; k < p.size(); ++k) CHECK(std::abs(p[k] - expected[k]) < 1e-12);
    }
  });
}

TEST_CASE("pc queries: means, squares and covariances are those of all fillings") {
  each_circuit([](const AskedCircuit& asked, const SymbolRows& rows) {
    const Evidence evidence = evidence_of(rows);
    for (std::int64_t i = 0; i < evidence.count(); ++i) {
      const std::vector<std::int64_t> places = missing_places(evidence, i);
      const Fillings all = fillings(asked, rows[at(i)]);
      const std::vector<double> p = weights_of(all);
      const auto mean = [&](const auto& f) {
        double sum = 0;
        for (std::size_t n = 0; n < p.size(); ++n) sum += p[n] * f(all.rows[n]);
        return sum;
      };
      const ValueMoments moments = value_moments(asked.queries, evidence, i, places, Pairs::all);
      for (std::size_t a = 0; a < places.size(); ++a) {
        const auto x = [&](const Row& row) { return static_cast<double>(row[at(places[a])]); };
        CHECK(std::abs(moments.mean[a] - mean(x)) < 1e-12);
        CHECK(std::abs(moments.square[a] - mean([&](const Row& r) { return x(r) * x(r); })) <
              1e-12);
        for (std::size_t b = 0; b < places.size(); ++b) {
          const auto y = [&](const Row& row) { return static_cast<double>(row[at(places[b])]); };
          const double expected =
              mean([&](const Row& r) { return x(r) * y(r); }) - mean(x) * mean(y);
          CHECK(std::abs(moments.covariance[a * places.size() + b] - expected) < 1e-12);
        }
      }
    }
  });
}

TEST_CASE("pc queries: the best filling is that of all, and a search says that it is one") {
  each_circuit([](const AskedCircuit& asked, const SymbolRows& rows) {
    const Evidence evidence = evidence_of(rows);
    for (std::int64_t i = 0; i < evidence.count(); ++i) {
      const Fillings all = fillings(asked, rows[at(i)]);
      const auto best = std::ranges::max_element(all.nats);
      const BestFilling found = best_filling(asked.queries, evidence, i, {});
      CHECK(found.exact);
      CHECK(std::abs(found.nats - *best) < 1e-12);
      const auto length = at(evidence.lengths[at(i)]);
      CHECK(Row(found.x.begin(), found.x.begin() + static_cast<std::ptrdiff_t>(length)) ==
            all.rows[at(best - all.nats.begin())]);
      if (all.rows.size() == 1) continue;
      const BestFilling searched =
          best_filling(asked.queries, evidence, i, {.enumerate = 1, .beam = 2});
      CHECK_FALSE(searched.exact);
      CHECK(searched.nats <= *best + 1e-12);
      CHECK(std::abs(asked.queries.log_p(evidence_of({searched.x}))[0] - searched.nats) < 1e-12);
      const BestFilling wide =
          best_filling(asked.queries, evidence, i, {.enumerate = 1, .beam = 4096});
      CHECK(std::abs(wide.nats - *best) < 1e-12);
    }
  });
}

TEST_CASE("pc queries: twelve binary variables, asked in every way") {
  std::vector<Variable> variables;
  std::vector<std::int32_t> parents;
  for (int v = 0; v < 12; ++v) {
    variables.push_back({"x" + std::to_string(v), 2});
    parents.push_back((v - 1) / 2);
  }
  parents[0] = -1;
  const AskedCircuit asked(hidden_tree(variables, parents, {.transition = square_sum(2, {})}), 11);
  const Row row = {1, -1, -1, 0, -1, -1, -1, 1, -1, -1, -1, -1};
  const Fillings all = fillings(asked, row);
  const std::vector<double> p = weights_of(all);
  const Evidence evidence = evidence_of({row});
  const std::vector<double> tables = asked.queries.tables(evidence).p;
  for (const std::int64_t place : missing_places(evidence, 0)) {
    double one = 0;
    for (std::size_t n = 0; n < p.size(); ++n)
      if (all.rows[n][at(place)] == 1) one += p[n];
    CHECK(std::abs(tables[at(place * 2 + 1)] - one) < 1e-12);
  }
  const BestFilling best = best_filling(asked.queries, evidence, 0, {});
  CHECK(std::abs(best.nats - std::ranges::max(all.nats)) < 1e-12);
  const FilledRows explained = asked.queries.fill(evidence, FillBy::explanation, Rng(1), 0);
  CHECK(asked.queries.log_p(evidence_of({explained.x}))[0] <= best.nats + 1e-12);
}

TEST_CASE("pc queries: what cannot be has no table, no filling and no mean") {
  HeldCircuit held(hidden_markov({"x", 2}, square_sum(2, {})));
  held.draw(5);
  held.set("emission/p", {1, 0, 1, 0});
  const AskedCircuit asked(std::move(held));
  const Evidence rows = evidence_of({{-1, 1, -1}});
  CHECK(asked.queries.log_p(rows)[0] == -std::numeric_limits<double>::infinity());
  CHECK(joint_table(asked.queries, rows, 0, {asked.queries, {0}}).empty());
  CHECK(best_filling(asked.queries, rows, 0, {}).x.empty());
  CHECK(best_filling(asked.queries, rows, 0, {.enumerate = 1}).x.empty());
  const std::vector<std::int64_t> places = {0};
  CHECK(value_moments(asked.queries, rows, 0, places, Pairs::all).mean.empty());
  CHECK(asked.queries.states(rows) == std::vector<double>(6));
  const std::vector<double> next = asked.queries.next(rows);
  CHECK(std::vector<double>(next.begin(), next.begin() + 4) == std::vector<double>{1, 0, 1, 0});
  CHECK(std::vector<double>(next.begin() + 4, next.end()) == std::vector<double>(2));
}

TEST_CASE("pc queries: a sequence of ten thousand symbols has a next one") {
  const AskedCircuit asked(hidden_markov({"x", 3}, square_sum(4, {})), 2);
  Row row(10'000);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::int32_t>(i * i % 3);
  const std::vector<double> next = asked.queries.next(evidence_of({row}));
  double nats = 0;
  for (std::size_t i = 0; i < row.size(); ++i) nats += std::log(next[i * 3 + at(row[i])]);
  CHECK(nats == doctest::Approx(asked.queries.log_p(evidence_of({row}))[0]).epsilon(1e-9));
}

TEST_CASE("pc queries: parameters that change change the answers") {
  HeldCircuit held(mixture({{"a", 2}}, 1));
  const pc::SymbolRows reader({}, held.plan.circuit());
  const Queries queries(held.plan, held.params, reader);
  const auto set = [&](float p) {
    const BlockRange range = held.plan.range(0, 0);
    held.params.block()[at(range.begin)] = 1 - p;
    held.params.block()[at(range.begin + 1)] = p;
  };
  held.params.block()[at(held.plan.range(held.plan.circuit().root, 0).begin)] = 1;
  for (const float p : {0.25F, 0.5F}) {
    set(p);
    CHECK(std::exp(queries.log_p(evidence_of({{1}}))[0]) == doctest::Approx(p));
  }
}

TEST_CASE("pc queries: a temperature takes every weight to a power") {
  HeldCircuit held(mixture({{"a", 3}}, 2));
  held.set("root/w", {0.8, 0.2});
  held.set("leaf.0/p", {0.5, 0.3, 0.2, 0.1, 0.9, 0});
  const AskedCircuit asked(std::move(held));
  const auto p_of = [&](double temperature) {
    std::vector<double> p;
    for (const double nats :
         asked.queries.tempered(temperature)->log_p(evidence_of({{0}, {1}, {2}})))
      p.push_back(std::exp(nats));
    return p;
  };
  CHECK(p_of(1)[0] == doctest::Approx(0.42).epsilon(1e-12));
  const double first = 16.0 / 17, second = 1.0 / 17;  // squares of 4 and 1
  CHECK(p_of(0.5)[0] == doctest::Approx(first * 25 / 38 + second * 1 / 82).epsilon(1e-12));
  CHECK(p_of(0.5)[2] == doctest::Approx(first * 4 / 38).epsilon(1e-12));
  CHECK(p_of(0.01)[0] == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("pc queries: the circuit as text is read back with the same weights") {
  for (const SmallCircuit& named : small_circuits()) {
    CAPTURE(named.name);
    HeldCircuit held(named.circuit);
    held.draw(9);
    std::ranges::copy(held.theta, held.params.block().begin());  // rounded to what is stored
    const pc::SymbolRows reader({}, held.plan.circuit());
    const std::string text = Queries(held.plan, held.params, reader).text(ModelText::json);
    const CircuitText read = read_circuit(text, "written");
    CHECK(write_circuit(read) == text);
    CHECK(std::ssize(read.style_prior) == (named.circuit.styles > 1 ? named.circuit.styles : 0));
    for (std::size_t b = 0; b < read.weights.size(); ++b) {
      if (named.circuit.blocks[b].tied_to >= 0) continue;
      for (std::size_t t = 0, i = 0; t < held.plan.tensors(static_cast<int>(b)).size(); ++t) {
        const BlockRange range = held.plan.range(static_cast<int>(b), t);
        for (std::int64_t k = range.begin; k < range.end; ++k, ++i)
          CHECK(static_cast<float>(read.weights[b].at(i)) == held.params.block()[at(k)]);
      }
    }
  }
}

TEST_CASE("pc queries: a drawing has a box for each block, and there are not too many") {
  const std::string text = draw_circuit(hidden_markov({"x", 3}, square_sum(4, {})));
  CHECK(text.starts_with("digraph circuit {"));
  CHECK(text.find("\"emission\" [label=\"x: 4 x 3\"") != std::string::npos);
  CHECK(text.find("\"next\" -> \"state\" [style=dashed]") != std::string::npos);
  const std::vector<Variable> many(3000, {"x", 2});
  CHECK_THROWS_AS(static_cast<void>(draw_circuit(mixture(many, 1))), Error);
}

TEST_CASE("pc queries: how far out in the tail a row lies counts the rows that are no likelier") {
  const std::vector<double> calibration = {-5, -3, -3, -1};
  CHECK(tail_probability(calibration, -6) == doctest::Approx(1.0 / 5));
  CHECK(tail_probability(calibration, -3) == doctest::Approx(4.0 / 5));
  CHECK(tail_probability(calibration, 0) == doctest::Approx(1));
  CHECK(tail_probability(calibration, -std::numeric_limits<double>::infinity()) ==
        doctest::Approx(1.0 / 5));
}

}  // namespace logpx::queries_test
