// What every structure with every leaf must do, and EM on data that a known model drew.
// [pc/README 2, 6.2]
#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/choice.hpp"
#include "libcore/families/pc/structures/regions.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace logpx::acceptance_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

Circuit two_products(ProductKind kind) {
  const std::int64_t size = kind == ProductKind::kronecker ? 6 : 2;
  Circuit circuit;
  circuit.variables = {{"a", 2}, {"b", 2}, {"c", 2}};
  circuit.blocks = {Block::leaf("a", 2, 0),
                    Block::leaf("b", kind == ProductKind::kronecker ? 3 : 2, 1),
                    Block::leaf("c", 2, 2)};
  circuit.blocks.push_back(kind == ProductKind::kronecker ? Block::kronecker("ab", size, {0, 1})
                                                          : Block::hadamard("ab", size, {0, 1}));
  circuit.blocks.push_back(Block::dense_sum("s", 2, {3}, size));
  circuit.blocks.push_back(Block::hadamard("abc", 2, {2, 4}));
  circuit.blocks.push_back(Block::dense_sum("root", 1, {5}, 2));
  circuit.root = 6;
  return circuit;
}

std::vector<Variable> some_variables(std::int64_t count, std::int64_t categories) {
  std::vector<Variable> variables;
  for (std::int64_t v = 0; v < count; ++v)
    variables.push_back({'x' + std::to_string(v), categories});
  return variables;
}

// Graphs of regions with all that may happen in them, over at most six variables.
std::vector<RegionGraph> region_graphs() {
  constexpr PixelGrid square = {.height = 2, .width = 2}, border = {.height = 2, .width = 3},
                      colours = {.height = 1, .width = 2, .channels = 3},
                      line = {.height = 1, .width = 4};
  std::vector<RegionGraph> graphs;
  for (const QuadSplit split : {QuadSplit::halves, QuadSplit::quarters, QuadSplit::both_halves})
    for (const PixelGrid& grid : {square, border, colours})
      graphs.push_back(quad_regions(grid, split));
  for (const PixelGrid& grid : {square, border, line}) graphs.push_back(box_regions(grid, 1));
  graphs.push_back(box_regions(line, 3));
  const Substream draws = Rng(1).stream(Stream::structure);
  for (const std::int64_t depth : {1, 3})
    graphs.push_back(random_regions(5, {.depth = depth, .repetitions = 3}, draws));
  return graphs;
}

std::int64_t variables_of(const RegionGraph& graph) {
  int last = 0;
  for (const Region& region : graph.regions)
    for (const int variable : region.variables) last = std::max(last, variable);
  return last + 1;
}

void add_regions(std::int64_t categories, std::vector<Circuit>& to) {
  const MonarchFactors monarch = {.m = {2, 1}, .n = {2, 1}, .program = {}};
  for (const ProductKind product : {ProductKind::hadamard, ProductKind::kronecker})
    for (const RegionGraph& graph : region_graphs())
      for (const MonarchFactors& sums : {square_sum(2, {}), monarch})
        to.push_back(region_circuit(some_variables(variables_of(graph), categories), graph,
                                    {.sums = sums, .product = product}));
}

std::vector<Circuit> structures(std::int64_t categories) {
  const std::vector<Variable> three = {{"a", categories}, {"b", categories}, {"c", categories}};
  const MonarchFactors monarch = {.m = {2, 2}, .n = {2, 2}, .program = {}};
  std::vector<Circuit> all = {mixture(three, 3),
                              mixture(three, 1),
                              hidden_markov({"x", categories}, square_sum(3, {})),
                              hidden_markov({"x", categories}, monarch),
                              hidden_tree(three, {1, -1, 1}, {.transition = square_sum(2, {})}),
                              hidden_tree(three, {1, -1, 1}, {.transition = monarch}),
                              two_products(ProductKind::hadamard),
                              two_products(ProductKind::kronecker)};
  for (Circuit& circuit : all)
    for (Variable& variable : circuit.variables) variable.categories = categories;
  add_regions(categories, all);
  return all;
}

void set_parameters(HeldCircuit& held) {
  for (const ParamInfo& info : held.params.infos()) {
    if (use_of(info.name) != TensorUse::parameters) continue;
    for (std::int64_t i = 0; i < info.shape.elements(); ++i)
      held.theta[at(info.offset + i)] = 0.2 + 0.6 * static_cast<double>(i % 7) / 7;
  }
}

// All of them; of a chain those of three steps.
SymbolRows rows_of(const Circuit& circuit) {
  const std::size_t values = circuit.chained() ? 3 : circuit.variables.size();
  const auto categories = static_cast<std::int32_t>(circuit.variables[0].categories);
  return all_rows(std::vector<std::int32_t>(values, categories));
}

double total_log_p(const HeldCircuit& held, const SymbolRows& rows) {
  const std::vector<double> nats = held.log_p(rows);
  return std::accumulate(nats.begin(), nats.end(), 0.0);
}

HeldCircuit known_markov() {
  HeldCircuit truth(hidden_markov({"x", 3}, square_sum(3, {})));
  truth.set("root/w", {0.8, 0.1, 0.1});
  truth.set("transition/w", {0.8, 0.1, 0.1, 0.1, 0.8, 0.1, 0.2, 0.2, 0.6});
  truth.set("emission/p", {0.9, 0.05, 0.05, 0.1, 0.8, 0.1, 0.05, 0.05, 0.9});
  return truth;
}

SymbolRows draws_of(const HeldCircuit& truth, std::int64_t count, std::uint64_t seed) {
  constexpr std::int64_t length = 10;
  const pc::SymbolRows reader({}, truth.plan.circuit());
  const Queries queries(truth.plan, truth.params, reader, truth.theta);
  const FilledRows filled =
      queries.fill(unknown_row(length).repeat(0, count), FillBy::draws, Rng(seed), 0);
  SymbolRows rows;
  for (std::int64_t i = 0; i < count; ++i)
    rows.emplace_back(filled.x.begin() + i * length, filled.x.begin() + (i + 1) * length);
  return rows;
}

void learn(HeldCircuit& held, const SymbolRows& rows, int steps) {
  for (int step = 0; step < steps; ++step)
    maximise<double>(held.params, {}, {}, held.counts(rows), {}, held.theta);
}

}  // namespace

TEST_CASE("pc: the probabilities of all rows sum to 1, for every structure, leaf and product") {
  for (const LeafKind kind :
       {LeafKind::table, LeafKind::bernoulli, LeafKind::binomial, LeafKind::dlogistic}) {
    const std::int64_t categories = kind == LeafKind::bernoulli ? 2 : 3;
    for (Circuit& circuit : structures(categories)) {
      set_leaves(std::vector<LeafKind>(circuit.variables.size(), kind), circuit);
      HeldCircuit held(circuit);
      held.draw(11);
      set_parameters(held);
      double sum = 0;
      for (const double nats : held.log_p(rows_of(circuit))) sum += std::exp(nats);
      CHECK(std::abs(sum - 1) < 1e-12);
    }
  }
}

TEST_CASE("pc: a row with missing values is as probable as all that they may be together") {
  for (const Circuit& circuit : structures(2)) {
    HeldCircuit held(circuit);
    held.draw(5);
    const SymbolRows whole = rows_of(circuit);
    const std::vector<double> nats = held.log_p(whole);
    for (const SymbolRows::value_type& seen : whole) {
      SymbolRows::value_type row = seen;  // where it is 1, nothing is seen
      for (std::int32_t& x : row) x = x == 1 ? -1 : x;
      double sum = 0;
      for (std::size_t i = 0; i < whole.size(); ++i)
        if (std::ranges::equal(row, whole[i], [](auto x, auto y) { return x < 0 || x == y; }))
          sum += std::exp(nats[i]);
      CHECK(std::abs(std::exp(held.log_p({row})[0]) - sum) < 1e-12);
    }
  }
}

TEST_CASE("pc: EM on rows that a model drew stays near that model") {
  const HeldCircuit truth = known_markov();
  const SymbolRows rows = draws_of(truth, 4000, 1);
  HeldCircuit held = known_markov();
  learn(held, rows, 20);
  CHECK(total_log_p(held, rows) >= total_log_p(truth, rows));
  for (const char* const tensor : {"root/w", "transition/w", "emission/p"}) {
    const std::vector<double> was = truth.get(tensor), is = held.get(tensor);
    for (std::size_t i = 0; i < was.size(); ++i) CHECK(std::abs(was[i] - is[i]) < 0.06);
  }
}

TEST_CASE("pc: the best of ten restarts says of new rows what the model says that drew them") {
  const HeldCircuit truth = known_markov();
  const SymbolRows rows = draws_of(truth, 500, 2), others = draws_of(truth, 500, 3);
  double best = -1e300, of_best = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    HeldCircuit held(truth.plan.circuit());
    held.draw(seed);
    learn(held, rows, 60);
    const double trained = total_log_p(held, rows);
    if (trained <= best) continue;
    best = trained;
    of_best = total_log_p(held, others);
  }
  CHECK(of_best > 1.005 * total_log_p(truth, others));  // both are below 0
}

}  // namespace logpx::acceptance_test
