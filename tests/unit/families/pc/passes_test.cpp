// Likelihoods and expected counts of circuits, against their definition.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/held_circuit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::passes_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

Circuit two_ways() {  // a Kronecker product, a sum over two products, a mixing, three children
  Circuit circuit;
  circuit.variables = {{"a", 2}, {"b", 3}, {"c", 2}};
  circuit.blocks = {Block::leaf("la", 2, 0),
                    Block::leaf("lb", 2, 1),
                    Block::leaf("lc", 4, 2),
                    Block::kronecker("k", 4, {0, 1}),
                    Block::dense_sum("s", 4, {3}, 4),
                    Block::sum("t", {.m = {2, 2}, .n = {2, 2}, .program = {1, 2, 1}}, {4}),
                    Block::mixing("mix", 4, {4, 5}),
                    Block::hadamard("h", 4, {6, 2}),
                    Block::kronecker("k3", 16, {0, 1, 2}),
                    Block::dense_sum("root", 1, {7, 8}, 20)};
  circuit.blocks[5].children = {3};
  circuit.root = 9;
  return circuit;
}

// A chain with two variables a step, where a sum over later steps reads another sum.
Circuit long_chain() {
  Circuit circuit;
  circuit.variables = {{"a", 2}, {"b", 3}};
  circuit.blocks = {Block::carry("next", 4),
                    Block::sum("first", {.m = {2, 2}, .n = {2, 2}, .program = {}}, {0}),
                    Block::dense_sum("second", 4, {1}, 4),
                    Block::leaf("la", 4, 0),
                    Block::leaf("lb", 4, 1),
                    Block::hadamard("state", 4, {2, 3, 4}),
                    Block::dense_sum("root", 1, {5}, 4)};
  circuit.root = 6;
  circuit.carried = 5;
  return circuit;
}

// Styles that change what a symbol looks like.
Circuit styled_chain() {
  Circuit circuit = hidden_markov({"x", 3}, square_sum(2, {}));
  circuit.styles = 3;
  for (Block& block : circuit.blocks) block.styled = block.kind == BlockKind::leaf;
  return circuit;
}

// A tree over greys: the last variable hangs on the hidden state of the second one.
Circuit styled_tree() {
  return hidden_tree({{"a", 3}, {"b", 3}, {"c", 3}, {"d", 3}}, {1, -1, 1, 1},
                     {.transition = square_sum(2, {}),
                      .dictionary = {.elements = 4, .styles = 3},
                      .hosts = {-1, -1, -1, 1}});
}

struct Named {
  const char* name;
  Circuit circuit;
  SymbolRows rows;  // of all lengths, with missing values
};

std::vector<Named> circuits() {
  const SymbolRows three = {{0, 1, 1}, {1, -1, 0}, {-1, 2, -1}, {-1, -1, -1}, {1, 2, 1}};
  return {
      {"two ways", two_ways(), three},
      {"hidden markov",
       hidden_markov({"x", 3}, square_sum(4, {})),
       {{0, 1, 2, 1, 0}, {2}, {1, -1, 2}, {0, 0, 0, 0, 0}, {-1, -1}}},
      {"chain of pairs", long_chain(), {{0, 1, 1, 2}, {1, 0}, {1, -1, 0, 2, -1, 0}, {-1, 2}}},
      {"monarch markov",
       hidden_markov({"x", 3}, {.m = {3, 2}, .n = {2, 3}, .program = {}}),
       {{0, 1, 2, 1}, {2, 1, -1}, {0, 0}}},
      {"tree",
       hidden_tree({{"a", 2}, {"b", 3}, {"c", 2}}, {1, -1, 1}, {.transition = square_sum(3, {})}),
       three},
      {"star with tied leaves",
       hidden_tree({{"a", 3}, {"b", 3}, {"c", 3}, {"d", 3}}, {1, -1, 1, 1},
                   {.transition = square_sum(2, {}),
                    .ties = {TieLeaves::all},
                    .leaf_latents = LeafLatents::merge}),
       {{0, 1, 2, 2}, {1, -1, 0, 1}}},
      {"styled chain", styled_chain(), {{0, 1, 2, 1}, {2}, {1, -1, 2}}},
      {"styled tree", styled_tree(), {{0, 1, 2, 0}, {0, -1, 0, 2}, {-1, 0, -1, -1}, {1, 0, 0, 0}}},
      {"mixture", mixture({{"a", 2}, {"b", 3}, {"c", 2}}, 4), three}};
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TEST_CASE("pc: log p of every row is that of the blocks' definitions, missing values summed out") {
  for (const Named& named : circuits()) {
    CAPTURE(named.name);
    HeldCircuit held(named.circuit);
    held.draw(1);
    const std::vector<double> nats = held.log_p(named.rows),
                              rounded = held.log_p_in_float(named.rows);
    for (std::size_t i = 0; i < named.rows.size(); ++i) {
      CAPTURE(i);
      CHECK(nats[i] == doctest::Approx(held.plain_log_p(named.rows[i])).epsilon(1e-12));
      CHECK(std::abs(rounded[i] - nats[i]) < 1e-4 * (1 + std::abs(nats[i])));
    }
  }
}

TEST_CASE(
    "pc: probabilities of all rows sum to one, and a row without values has probability one") {
  for (const Named& named : circuits()) {
    CAPTURE(named.name);
    HeldCircuit held(named.circuit);
    held.draw(2);
    std::vector<std::int32_t> categories;
    for (int step = 0; step < (named.circuit.chained() ? 3 : 1); ++step)
      for (const Variable& variable : named.circuit.variables)
        categories.push_back(static_cast<std::int32_t>(variable.categories));
    double sum = 0;
    for (const double nats : held.log_p(all_rows(categories))) sum += std::exp(nats);
    CHECK(std::abs(sum - 1) < 1e-12);
    CHECK(std::abs(held.log_p({std::vector<std::int32_t>(categories.size(), -1)})[0]) < 1e-12);
  }
}

TEST_CASE("pc: expected counts are parameters times the slopes of log p") {
  for (const Named& named : circuits()) {
    CAPTURE(named.name);
    HeldCircuit held(named.circuit);
    held.draw(3);
    const std::vector<double> counts = held.counts(named.rows);
    constexpr double h = 1e-6;
    for (const ParamInfo& info : held.params.infos())
      for (std::int64_t i = info.offset; i < info.offset + info.shape.elements(); ++i) {
        const double here = held.theta[at(i)];
        held.theta[at(i)] = here + h;
        const double up = sum_of(held.log_p(named.rows));
        held.theta[at(i)] = here - h;
        const double down = sum_of(held.log_p(named.rows));
        held.theta[at(i)] = here;
        CAPTURE(info.name);
        CHECK(std::abs(counts[at(i)] - here * (up - down) / (2 * h)) < 1e-6);
      }
  }
}

TEST_CASE("pc: logarithms throughout give the same likelihoods and counts as scaled numbers") {
  for (const Named& named : circuits()) {
    if (named.circuit.styles > 1) continue;  // --arithmetic logsumexp refuses them
    CAPTURE(named.name);
    HeldCircuit held(named.circuit);
    held.draw(7);
    const Columns columns = columns_of(named.rows, std::ssize(named.circuit.variables));
    std::vector<double> nats(named.rows.size()), slopes(held.theta.size());
    Pass<double>(held.plan, {.arithmetic = Arithmetic::logarithms})
        .add_slopes(held.theta, columns, nats, slopes);
    const std::vector<double> scaled = held.log_p(named.rows), counts = held.counts(named.rows);
    for (std::size_t i = 0; i < nats.size(); ++i) CHECK(std::abs(nats[i] - scaled[i]) < 1e-9);
    for (std::size_t i = 0; i < slopes.size(); ++i)
      CHECK(std::abs(slopes[i] * held.theta[i] - counts[i]) < 1e-9);
    const std::vector<float> theta(held.theta.begin(), held.theta.end());
    Pass<float>(held.plan, {.arithmetic = Arithmetic::logarithms}).log_p(theta, columns, nats);
    for (std::size_t i = 0; i < nats.size(); ++i)
      CHECK(std::abs(nats[i] - scaled[i]) < 1e-4 * (1 + std::abs(scaled[i])));
  }
}

TEST_CASE("pc: each row counts once in the root, and each observed symbol once in the leaves") {
  HeldCircuit held(hidden_markov({"x", 3}, {.m = {2, 2}, .n = {2, 2}, .program = {}}));
  held.draw(4);
  const SymbolRows rows = {{0, 1, 2, 1}, {2}, {1, -1, 0}};
  const std::vector<double> counts = held.counts(rows);
  CHECK(sum_of(held.get("root/w", counts)) == doctest::Approx(3));
  CHECK(sum_of(held.get("emission/p", counts)) == doctest::Approx(7));
  for (const char* layer : {"transition/a1", "transition/a2"})
    CHECK(sum_of(held.get(layer, counts)) == doctest::Approx(3 + 0 + 2));
}

TEST_CASE("pc: counts depend neither on the columns of a batch nor on which steps are kept") {
  for (const Named& named : circuits()) {
    CAPTURE(named.name);
    HeldCircuit held(named.circuit);
    held.draw(5);
    const std::vector<double> counts = held.counts(named.rows);
    for (const PassSettings& settings : {PassSettings{.columns = 1}, PassSettings{.columns = 2},
                                         PassSettings{.columns = 128, .keep_every = 2},
                                         PassSettings{.columns = 3, .keep_every = 1},
                                         PassSettings{.columns = 128, .keep_every = 3}}) {
      const std::vector<double> other = held.counts(named.rows, settings);
      for (std::size_t i = 0; i < counts.size(); ++i)
        CHECK(std::abs(other[i] - counts[i]) <= 1e-12 * (1 + counts[i]));
    }
  }
}

TEST_CASE("pc: a row whose style is known has its share of the likelihood") {
  HeldCircuit held(styled_tree());
  held.draw(9);
  const SymbolRows rows = {{0, 1, 2, 0}, {0, -1, 0, 2}};
  std::vector<double> likelihood(rows.size()), nats(rows.size());
  Columns columns = columns_of(rows, 4);
  for (std::int32_t style = 0; style < 3; ++style) {
    columns.styles.assign(rows.size(), style);
    Pass<double>(held.plan, {}).log_p(held.theta, columns, nats);
    for (std::size_t i = 0; i < rows.size(); ++i) likelihood[i] += std::exp(nats[i]);
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    CHECK(std::abs(std::log(likelihood[i]) - held.plain_log_p(rows[i])) < 1e-12);
}

TEST_CASE("pc: values that no style gives an element are counted in none, and cost one column") {
  HeldCircuit held(styled_tree());
  held.draw(10);
  // In every style, elements of the dictionary give values 1 and 2 alone.
  std::vector<double> greys = held.get("grey.0/p");
  for (std::size_t i = 0; i < greys.size(); i += 3) {
    greys[i] = 0;
    const double sum = greys[i + 1] + greys[i + 2];
    greys[i + 1] /= sum;
    greys[i + 2] /= sum;
  }
  held.set("grey.0/p", greys);
  const SymbolRows rows = {{0, 0, 0, 0}, {0, 1, 0, 2}, {-1, 0, 2, 0}, {0, 0, 0, 1}};
  const std::vector<double> nats = held.log_p(rows), counts = held.counts(rows);
  for (std::size_t i = 0; i < rows.size(); ++i)
    CHECK(std::abs(nats[i] - held.plain_log_p(rows[i])) < 1e-12);
  CHECK(sum_of(held.get("styles/prior", counts)) == doctest::Approx(4));
  CHECK(sum_of(held.get("grey.0/p", counts)) == doctest::Approx(4));
  std::vector<double> alone(counts.size());
  for (const auto& row : rows) {
    const std::vector<double> own = held.counts({row});
    for (std::size_t i = 0; i < own.size(); ++i) alone[i] += own[i];
  }
  for (std::size_t i = 0; i < counts.size(); ++i) CHECK(std::abs(counts[i] - alone[i]) < 1e-12);
}

TEST_CASE("pc: one pass serves rows of any length, one after the other") {
  HeldCircuit held(hidden_markov({"x", 3}, square_sum(3, {})));
  held.draw(6);
  Pass<double> pass(held.plan, {.columns = 4, .keep_every = 2});
  const SymbolRows rows = {{0, 1, 2, 2, 1, 0, 1}, {1}, {2, 2}, {0, 1, 2, 1}};
  std::vector<double> counts(held.theta.size()), nats(1);
  for (const auto& row : rows) {
    pass.add_slopes(held.theta, columns_of({row}, 1), nats, counts);
    CHECK(nats[0] == doctest::Approx(held.plain_log_p(row)).epsilon(1e-12));
    pass.log_p(held.theta, columns_of({row}, 1), nats);
    CHECK(nats[0] == doctest::Approx(held.plain_log_p(row)).epsilon(1e-12));
  }
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] *= held.theta[i];
  CHECK(sum_of(held.get("emission/p", counts)) == doctest::Approx(14));
}

TEST_CASE("pc: a row that cannot be has probability 0 and no counts, and others are as before") {
  HeldCircuit held(hidden_markov({"x", 2}, square_sum(2, {})));
  held.draw(7);
  held.set("emission/p", {1, 0, 1, 0});
  const std::vector<double> nats = held.log_p({{0, 1, 0}, {0, 0}});
  CHECK(nats[0] == -std::numeric_limits<double>::infinity());
  CHECK(nats[1] == doctest::Approx(0));
  CHECK(held.counts({{0, 1, 0}, {0, 0}}) == held.counts({{0, 0}}));
}

TEST_CASE("pc: a million steps neither underflow nor need a block each") {
  HeldCircuit held(hidden_markov({"x", 2}, square_sum(2, {})));
  held.set("root/w", {0.5, 0.5});
  held.set("transition/w", {0.9, 0.1, 0.1, 0.9});
  held.set("emission/p", {0.8, 0.2, 0.3, 0.7});
  std::vector<std::int32_t> row(1'000'000);
  for (std::size_t t = 0; t < row.size(); ++t) row[t] = t % 7 < 3 ? 1 : 0;
  // A plain forward filter over states, which the passes do not share.
  double a = 0.5, b = 0.5, expected = 0;
  for (const std::int32_t x : row) {
    const double u = a * (x == 0 ? 0.8 : 0.2), v = b * (x == 0 ? 0.3 : 0.7), sum = u + v;
    expected += std::log(sum);
    a = (0.9 * u + 0.1 * v) / sum;
    b = (0.1 * u + 0.9 * v) / sum;
  }
  CHECK(std::abs(held.log_p({row})[0] / expected - 1) < 1e-9);
  CHECK(std::abs(held.log_p_in_float({row})[0] / expected - 1) < 1e-5);
}

TEST_CASE("pc: products of a thousand variables neither underflow nor lose a slope") {
  std::vector<Variable> variables(1000, {"x", 2});
  for (std::size_t v = 0; v < variables.size(); ++v) variables[v].name += std::to_string(v);
  HeldCircuit held(mixture(variables, 3));
  held.draw(8);
  const std::vector<std::int32_t> row(1000, 1);
  const std::vector<float> theta(held.theta.begin(), held.theta.end());
  std::vector<float> slopes(theta.size());
  std::vector<double> nats(1);
  Pass<float>(held.plan, {}).add_slopes(theta, columns_of({row}, 1000), nats, slopes);
  CHECK(std::abs(nats[0] / held.log_p({row})[0] - 1) < 1e-5);
  const std::vector<double> counts = held.counts({row});
  for (std::size_t i = 0; i < theta.size(); ++i)
    CHECK(std::abs(static_cast<double>(theta[i] * slopes[i]) - counts[i]) < 1e-4);
}

}  // namespace logpx::passes_test
