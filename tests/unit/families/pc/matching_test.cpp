// What chains say of texts that match a pattern, against enumeration.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/patterns/matching.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>

namespace logpx::matching_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

using Row = std::vector<std::int32_t>;

Automaton automaton(const std::string& text, const std::string& without = "") {
  const auto wide = [](const std::string& one) { return std::u32string(one.begin(), one.end()); };
  std::vector<Pattern> patterns = {{"--pattern", wide(text), text}};
  if (!without.empty())
    patterns.push_back({"--without", wide(without), without, PatternUse::excluded});
  const std::vector<std::u32string> letters = {U"a", U"b", U"c"};
  return make_automaton(patterns, letters);
}

// A step with a sum of products, a sum of leaves, an indicator, and the carried block itself.
Circuit mixed_chain() {
  Circuit circuit;
  circuit.variables = {{"x", 3}};
  circuit.blocks = {pc::Block::carry("next", 2),
                    pc::Block::dense_sum("move", 2, {0}, 2),
                    pc::Block::leaf("la", 2, 0),
                    pc::Block::indicator("one", 0, 1),
                    pc::Block::leaf("lb", 2, 0),
                    pc::Block::dense_sum("ls", 2, {3, 4}, 3),
                    pc::Block::hadamard("pa", 2, {1, 2}),
                    pc::Block::hadamard("pb", 2, {5, 0}),
                    pc::Block::dense_sum("state", 2, {6, 7}, 4),
                    pc::Block::dense_sum("root", 1, {8}, 2)};
  circuit.carried = 8;
  circuit.root = 9;
  return circuit;
}

std::vector<Circuit> chains() {
  return {hidden_markov({"x", 3}, square_sum(4, {})),
          hidden_markov({"x", 3}, {.m = {3, 2}, .n = {2, 3}, .program = {}}), mixed_chain()};
}

const std::vector<const char*> patterns = {".*ab.*",       "(a|bc)*",      "a{2,4}[bc]+",
                                           "[^a]*a?[^a]*", ".*(ab|ca).*b", "a+b*c?(b|a).*"};

// Fillings of a row that are accepted, with p of each.
std::map<Row, double> matches_of(const AskedCircuit& asked, const Automaton& accepted,
                                 const Row& row) {
  std::map<Row, double> all;
  for (const Row& x : all_rows(Row(row.size(), 3))) {
    bool fills = accepted.matches(x);
    for (std::size_t i = 0; i < row.size(); ++i) fills = fills && (row[i] < 0 || row[i] == x[i]);
    if (fills) all[x] = std::exp(asked.held.plain_log_p(x));
  }
  return all;
}

double total(const std::map<Row, double>& weights) {
  double sum = 0;
  for (const auto& [x, p] : weights) sum += p;
  return sum;
}

}  // namespace

TEST_CASE("pc matching: p of a match is the sum over all texts that match, up to six letters") {
  for (const Circuit& circuit : chains()) {
    const AskedCircuit asked(circuit, 7);
    for (const char* text : patterns) {
      CAPTURE(text);
      const Automaton accepted = automaton(text, ".*cc");
      const auto matching = asked.queries.matching(accepted);
      for (std::size_t length = 0; length <= 6; ++length) {
        const Row row(length, -1);
        const double p = length == 0 ? (accepted.matches(row) ? 1.0 : 0.0)
                                     : total(matches_of(asked, accepted, row));
        const auto rows = unknown_row(static_cast<std::int64_t>(length));
        CHECK(std::abs(std::exp(matching->log_p(rows)[0]) - p) < 1e-12);
      }
    }
  }
}

TEST_CASE("pc matching: letters that are there are kept, and rows may end early") {
  const SymbolRows rows = {{0, -1, -1, 1, -1}, {-1, 1, -1}, {0, 1, 2, 0}, {-1, -1, -1, -1, 2}};
  for (const Circuit& circuit : chains()) {
    const AskedCircuit asked(circuit, 3);
    for (const char* text : patterns) {
      CAPTURE(text);
      const Automaton accepted = automaton(text);
      const std::vector<double> nats = asked.queries.matching(accepted)->log_p(evidence_of(rows));
      for (std::size_t i = 0; i < rows.size(); ++i)
        CHECK(std::abs(std::exp(nats[i]) - total(matches_of(asked, accepted, rows[i]))) < 1e-12);
    }
  }
}

TEST_CASE("pc matching: every draw matches, keeps what is there and has its own address") {
  const Evidence rows = evidence_of({{0, -1, -1, 1, -1}, {-1, -1, -1, -1, -1}, {-1, 1, -1}});
  for (const Circuit& circuit : chains()) {
    const AskedCircuit asked(circuit, 5);
    const Automaton accepted = automaton(".*ab.*", ".*c");
    const auto matching = asked.queries.matching(accepted);
    const std::vector<FilledRows> draws = matching->fill(rows, Rng(1), {0, 50});
    const std::vector<double> nats = matching->log_p(rows);
    for (const FilledRows& draw : draws)
      for (std::int64_t i = 0; i < rows.count(); ++i) {
        const auto begin = draw.x.begin() + i * rows.width;
        const Row x(begin, begin + rows.lengths[at(i)]);
        CHECK(accepted.matches(x));
        CHECK(std::abs(draw.nats[at(i)] - nats[at(i)]) < 1e-12);
        for (std::int64_t v = 0; v < rows.lengths[at(i)]; ++v) {
          CHECK((rows.row(i)[at(v)] < 0 || rows.row(i)[at(v)] == x[at(v)]));
          CHECK(draw.states[at(i * rows.width + v)] >= 0);
        }
      }
    CHECK(draws[7].x != draws[8].x);
    CHECK(matching->fill(rows, Rng(1), {7, 9})[0].x == draws[7].x);
  }
}

TEST_CASE("pc matching: draws are as frequent as their share of all that matches (chi-square)" *
          of_numbers) {
  constexpr std::int64_t count = 100'000;
  const AskedCircuit asked(mixed_chain(), 2);
  const Automaton accepted = automaton(".*ab.*", ".*c");
  const Row row = {-1, -1, -1};
  const std::map<Row, double> weights = matches_of(asked, accepted, row);
  std::map<Row, double> seen;
  const Evidence rows = evidence_of({row});
  const auto matching = asked.queries.matching(accepted);
  for (std::uint32_t first = 0; first < count; first += 1000)
    for (const FilledRows& draw : matching->fill(rows, Rng(4), {first, first + 1000}))
      ++seen[draw.x];
  double chi = 0;
  for (const auto& [x, p] : weights) {
    const double expected = count * p / total(weights), off = seen[x] - expected;
    chi += off * off / expected;
  }
  // Texts of three letters with ab in them that do not end with c: aab, bab, cab, aba and abb. A
  // chi-square of four degrees is above this once in ten thousand times.
  CHECK(weights.size() == 5);
  CHECK(chi < 23.52);
}

TEST_CASE("pc matching: a long row is drawn in stretches, and the draws are the same") {
  const AskedCircuit asked(hidden_markov({"x", 3}, square_sum(4, {})), 5);
  const Automaton accepted = automaton(".*abc.*", ".*cc.*");
  const auto theta = std::make_shared<const std::vector<double>>(asked.held.theta);
  const Evidence rows = unknown_row(50);
  const Matching whole(asked.held.plan, theta, accepted),
      parted(asked.held.plan, theta, accepted, 1);
  const auto one = whole.fill(rows, Rng(1), {0, 4}), other = parted.fill(rows, Rng(1), {0, 4});
  for (std::size_t draw = 0; draw < one.size(); ++draw) CHECK(one[draw].x == other[draw].x);
}

TEST_CASE("pc matching: what cannot match has probability 0 and no draws") {
  const AskedCircuit asked(hidden_markov({"x", 3}, square_sum(2, {})), 5);
  for (const Automaton& accepted : {automaton("aaa"), automaton(".*a.*", ".*")}) {
    const auto matching = asked.queries.matching(accepted);
    const Evidence rows = unknown_row(2);
    CHECK(matching->log_p(rows)[0] == -std::numeric_limits<double>::infinity());
    CHECK(matching->fill(rows, Rng(1), {0, 1})[0].x == Row{-1, -1});
  }
}

TEST_CASE("pc matching: ten thousand letters neither underflow nor overflow") {
  const AskedCircuit asked(hidden_markov({"x", 3}, square_sum(3, {})), 5);
  const double nats =
      asked.queries.matching(automaton("(a|b|ca)*c?"))->log_p(unknown_row(10'000))[0];
  CHECK(nats < -100);
  CHECK(std::isfinite(nats));
  CHECK(std::abs(asked.queries.matching(automaton(".*"))->log_p(unknown_row(10'000))[0]) < 1e-9);
}

}  // namespace logpx::matching_test
