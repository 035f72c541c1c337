// Coding by circuits: conditionals in the order of coding, against whole likelihoods.
#include "libcore/families/pc/coding/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/structures/regions.hpp"
#include "tests/support/held_circuit.hpp"
#include "tests/support/scheme_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace logpx::coding_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

constexpr std::int64_t categories = 3;

HeldCircuit drawn(Circuit circuit, std::uint64_t seed = 7) {
  HeldCircuit held(std::move(circuit));
  held.draw(seed);
  return held;
}
std::vector<Variable> variables_of(int count) {
  std::vector<Variable> variables;
  for (int v = 0; v < count; ++v) variables.push_back({'x' + std::to_string(v), categories});
  return variables;
}
MonarchFactors factors(const char* text, std::int64_t hidden) { return read_factors(text, hidden); }

// v's parent; the root is 2, and the order of coding 2 0 4 1 3 5.
const std::vector<std::int32_t> tree = {2, 2, -1, 1, 0, 2};
HeldCircuit tree_of(const MonarchFactors& transition, LeafLatents latents) {
  return drawn(
      hidden_tree(variables_of(6), tree,
                  {.transition = transition, .ties = {TieLeaves::none}, .leaf_latents = latents}));
}
// Two symbols at each step: one depends on the state, the other on a state of its own below it.
Circuit pairs() {
  Circuit circuit;
  circuit.variables = variables_of(2);
  circuit.blocks = {Block::carry("next", 3),
                    Block::dense_sum("transition", 3, {0}, 3),
                    Block::leaf("first", 3, 0),
                    Block::leaf("second", 2, 1),
                    Block::dense_sum("below", 3, {3}, 2),
                    Block::hadamard("state", 3, {1, 4, 2}),
                    Block::dense_sum("root", 1, {5}, 3)};
  circuit.carried = 5;
  circuit.root = 6;
  return circuit;
}

// Leaves that are not tables.
HeldCircuit counted() {
  Circuit circuit = hidden_tree(variables_of(6), tree,
                                {.transition = square_sum(3, {}),
                                 .ties = {TieLeaves::none},
                                 .leaf_latents = LeafLatents::keep});
  for (Block& block : circuit.blocks)
    if (block.kind == BlockKind::leaf)
      block.leaf_kind = block.variable % 2 == 0 ? LeafKind::binomial : LeafKind::table;
  HeldCircuit held = drawn(std::move(circuit));
  for (const char* leaf : {"leaf.0/q", "leaf.2/q", "leaf.4/q"}) held.set(leaf, {0.25, 0.5, 0.875});
  return held;
}

// Rows have one of two styles, and two variables hang on the states of others.
HeldCircuit styled() {
  return drawn(hidden_tree(variables_of(6), tree,
                           {.transition = square_sum(3, {}),
                            .dictionary = {.elements = 3, .styles = 2},
                            .hosts = {-1, -1, -1, 1, -1, 2}}));
}

// Every node of a part with every other.
HeldCircuit quads(const PixelGrid& grid, QuadSplit split) {
  return drawn(region_circuit(variables_of(static_cast<int>(grid.pixels())),
                              quad_regions(grid, split),
                              {.sums = square_sum(2, {}), .product = ProductKind::kronecker}));
}

struct Coded {
  std::string name;
  HeldCircuit held;
  std::size_t symbols;
};
std::vector<Coded> all_kinds() {
  std::vector<Coded> all;
  all.push_back({"dense", drawn(hidden_markov({"x", categories}, square_sum(4, {}))), 7});
  all.push_back({"monarch", drawn(hidden_markov({"x", categories}, factors("2,3", 6))), 7});
  all.push_back({"three factors", drawn(hidden_markov({"x", categories}, factors("2,2,2", 8))), 5});
  all.push_back({"pairs", drawn(pairs()), 8});
  all.push_back({"tree", tree_of(square_sum(3, {}), LeafLatents::keep), 6});
  all.push_back({"merged", tree_of(square_sum(3, {}), LeafLatents::merge), 6});
  all.push_back({"monarch tree", tree_of(factors("2,2", 4), LeafLatents::keep), 6});
  all.push_back({"counts", counted(), 6});
  all.push_back({"mixture", drawn(mixture(variables_of(5), 4)), 5});
  all.push_back({"halves", quads({.height = 2, .width = 3}, QuadSplit::halves), 6});
  all.push_back({"quarters", quads({.height = 2, .width = 2}, QuadSplit::quarters), 4});
  return all;
}

SymbolRows random_rows(std::size_t rows, std::size_t symbols) {
  const std::vector<std::uint8_t> drawn = random_symbols(rows * symbols, categories);
  SymbolRows all(rows);
  for (std::size_t i = 0; i < drawn.size(); ++i) all[i / symbols].push_back(drawn[i]);
  return all;
}

CircuitCoding coding_of(const Coded& coded) {
  std::vector<std::size_t> variables(coded.symbols);
  std::iota(variables.begin(), variables.end(), std::size_t{0});
  return CircuitCoding({coded.held.plan, coded.held.theta, variables});
}
std::vector<std::uint32_t> in_order(const CircuitCoding& coding,
                                    const std::vector<std::int32_t>& row) {
  const std::vector<std::uint8_t> item(row.begin(), row.end());
  std::vector<std::uint32_t> symbols(row.size());
  coding.to_symbols(item, symbols);
  return symbols;
}

// Weights at every place of every row, with all rows in step.
std::vector<std::vector<double>> tables_of(const CircuitCoding& coding, const SymbolRows& rows) {
  std::vector<std::vector<std::uint32_t>> symbols;
  for (const auto& row : rows) symbols.push_back(in_order(coding, row));
  std::vector<std::vector<double>> tables(rows.size());
  const auto state = coding.start();
  state->begin(rows.size());
  for (std::size_t i = 0; i < symbols[0].size(); ++i) {
    const std::span<const double> weights = state->weights(rows.size());
    std::vector<std::uint32_t> came;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto own = weights.subspan(r * at(categories), at(categories));
      tables[r].insert(tables[r].end(), own.begin(), own.end());
      came.push_back(symbols[r][i]);
    }
    state->advance(came);
  }
  return tables;
}

}  // namespace

TEST_CASE("pc coding: the conditionals of all symbols make the likelihood of the row") {
  for (const Coded& coded : all_kinds()) {
    CAPTURE(coded.name);
    const SymbolRows rows = random_rows(9, coded.symbols);
    const CircuitCoding coding = coding_of(coded);
    const auto tables = tables_of(coding, rows);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::vector<std::uint32_t> symbols = in_order(coding, rows[r]);
      double nats = 0;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const double* table = tables[r].data() + i * at(categories);
        nats += std::log(table[symbols[i]] / std::accumulate(table, table + categories, 0.0));
      }
      CHECK(nats == doctest::Approx(coded.held.log_p({rows[r]})[0]).epsilon(1e-12));
      if (coded.name != "counts")
        CHECK(nats == doctest::Approx(coded.held.plain_log_p(rows[r])).epsilon(1e-12));
    }
  }
}

TEST_CASE("pc coding: the tables of a row do not depend on the rows in step with it") {
  for (const Coded& coded : all_kinds()) {
    CAPTURE(coded.name);
    const SymbolRows rows = random_rows(21, coded.symbols);
    const CircuitCoding coding = coding_of(coded);
    const auto together = tables_of(coding, rows);
    for (std::size_t r = 0; r < rows.size(); r += 4)
      CHECK(tables_of(coding, {rows[r]})[0] == together[r]);
  }
}

TEST_CASE("pc coding: a tree is coded depth first, from its root on, children ascending") {
  const Coded coded{"tree", tree_of(square_sum(3, {}), LeafLatents::keep), 6};
  CHECK(FilterPlan(coded.held.plan).order() == std::vector<int>{2, 0, 4, 1, 3, 5});
  CHECK(in_order(coding_of(coded), {10, 11, 12, 13, 14, 15}) ==
        std::vector<std::uint32_t>{12, 10, 14, 11, 13, 15});
}

TEST_CASE("pc coding: every sum of a tree is used at most once down and once up") {
  const HeldCircuit held = tree_of(square_sum(3, {}), LeafLatents::keep);
  std::vector<int> down(held.plan.circuit().blocks.size()), up = down;
  const FilterPlan plan(held.plan);
  for (const FilterAction& action : plan.step()) {
    if (action.kind == FilterAction::Kind::down) ++down[at(action.block)];
    if (action.kind == FilterAction::Kind::up) ++up[at(action.block)];
  }
  CHECK(std::accumulate(down.begin(), down.end(), 0) == 6);  // the root's among them
  CHECK(std::ranges::max(down) == 1);
  CHECK(std::ranges::max(up) == 1);
  CHECK(std::accumulate(up.begin(), up.end(), 0) == 4);  // nobody comes after variable 5
}

TEST_CASE("pc coding: what was coded comes back, with short ends and across windows") {
  for (const Coded& coded : all_kinds()) {
    CAPTURE(coded.name);
    const CircuitCoding coding = coding_of(coded);
    const bool chain = coding.carries();
    const auto symbols = random_symbols(coded.symbols * 40 + (chain ? 2 : 0), categories);
    check_inverse(codec::Sequential(coding, {.interleave = 16}), symbols);
    check_inverse(codec::Sequential(coding), symbols);
    if (chain)
      check_inverse(codec::Sequential(coding, {.interleave = 3, .carry = codec::Carry::state}),
                    symbols);
  }
}

TEST_CASE("pc coding: one long sequence is coded by its own likelihood") {
  const Coded coded{"hmm", drawn(hidden_markov({"x", categories}, square_sum(4, {}))), 5};
  const auto symbols = random_symbols(35, categories);
  const CircuitCoding coding = coding_of(coded);
  const codec::Sequential scheme(coding, {.interleave = 1, .carry = codec::Carry::state});
  std::vector<double> nats(7);
  scheme.score(symbols, Rng(1), 0, nats);
  CHECK(std::accumulate(nats.begin(), nats.end(), 0.0) ==
        doctest::Approx(coded.held.plain_log_p({symbols.begin(), symbols.end()})).epsilon(1e-12));
}

TEST_CASE(
    "pc coding: where rows have styles, that of a row is coded first, then the row given it") {
  const Coded coded{"styled", styled(), 6};
  const CircuitCoding coding = coding_of(coded);
  CHECK(coding.symbols_in(6) == 7);
  CHECK(!coding.carries());
  for (const auto& row : random_rows(7, 6)) {
    const std::vector<std::uint8_t> item(row.begin(), row.end());
    std::vector<std::uint32_t> symbols(7);
    coding.to_symbols(item, symbols);
    CHECK(symbols[0] < 2);
    double p = 0;
    for (symbols[0] = 0; symbols[0] < 2; ++symbols[0]) {
      const auto state = coding.start();
      state->begin(1);
      double joint = 1;
      for (const std::uint32_t symbol : symbols) {
        const std::span<const double> next = state->weights(1);
        joint *= next[symbol] / std::accumulate(next.begin(), next.end(), 0.0);
        state->advance(std::span(&symbol, 1));
      }
      p += joint;
    }
    CHECK(std::log(p) == doctest::Approx(coded.held.log_p({row})[0]).epsilon(1e-12));
  }
  check_inverse(codec::Sequential(coding, {.interleave = 4}), random_symbols(6 * 11, categories));
}

TEST_CASE("pc coding: symbols that cannot be are coded, too, and those behind them") {
  Coded coded{"hmm", HeldCircuit(hidden_markov({"x", categories}, square_sum(2, {}))), 6};
  coded.held.set("root/w", {1, 0});
  coded.held.set("transition/w", {0, 1, 1, 0});
  coded.held.set("emission/p", {0.5, 0.5, 0, 0, 0.5, 0.5});
  const CircuitCoding coding = coding_of(coded);
  const std::vector<std::uint8_t> impossible = {0, 0, 2, 0, 2, 1};
  check_inverse(codec::Sequential(coding), impossible);
  codec::Message message(1);
  codec::Costs costs;
  codec::Sequential(coding).encode(message, impossible, 0, costs);
  CHECK(costs.total() > 24);  // the second 0 has one chance in 2^24
  CHECK(costs.total() < 24 + 6 * 2);
}

TEST_CASE("pc coding: what is no tree of blocks says which block is in the way") {
  const auto refused = [](Circuit circuit, const std::string& words) {
    const HeldCircuit held = drawn(std::move(circuit));
    try {
      static_cast<void>(FilterPlan(held.plan));
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      CHECK(error.message().find(words) != std::string::npos);
    }
  };
  Circuit parts;
  parts.variables = variables_of(2);
  parts.blocks = {Block::leaf("a", 2, 0),
                  Block::leaf("b", 2, 1),
                  Block::leaf("c", 2, 0),
                  Block::leaf("d", 2, 1),
                  Block::hadamard("ab", 2, {0, 1}),
                  Block::hadamard("cd", 2, {2, 3}),
                  Block::dense_sum("both", 1, {4, 5}, 4)};
  parts.root = 6;
  refused(parts, "\"both\" that sums several blocks");
  Circuit two;
  two.variables = variables_of(1);
  two.blocks = {Block::leaf("a", 2, 0), Block::leaf("b", 2, 0), Block()};
  two.blocks[2] = Block::mixing("both", 2, {0, 1});
  two.blocks.push_back(Block::dense_sum("root", 1, {2}, 2));
  two.root = 3;
  refused(two, "\"both\" that mixes blocks node by node");
  Circuit every;
  every.variables = variables_of(1);
  every.blocks = {Block::carry("next", 4), Block::leaf("a", 2, 0),
                  Block::dense_sum("on", 2, {0}, 4), Block::kronecker("all", 4, {1, 2}),
                  Block::dense_sum("root", 1, {3}, 4)};
  every.carried = 3;
  every.root = 4;
  refused(every, "\"all\" that multiplies every node with every other in a chain");
}

}  // namespace logpx::coding_test
