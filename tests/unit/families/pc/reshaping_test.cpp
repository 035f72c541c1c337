// Models with copies of their hidden states, and with the most occupied ones alone.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/growing/occupancy.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace logpx::reshaping_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

CircuitText text_of(const HeldCircuit& held) {
  CircuitText text{.circuit = held.plan.circuit(), .weights = {}};
  for (int b = 0; b < static_cast<int>(text.circuit.blocks.size()); ++b) {
    std::vector<double>& weights = text.weights.emplace_back();
    if (held.plan.block(b).tied_to >= 0) continue;
    for (std::size_t t = 0; t < held.plan.tensors(b).size(); ++t) {
      const BlockRange range = held.plan.range(b, t);
      weights.insert(weights.end(), held.theta.begin() + range.begin,
                     held.theta.begin() + range.end);
    }
  }
  return text;
}

HeldCircuit held_of(const CircuitText& text, const HeldCircuit& from) {
  HeldCircuit held(text.circuit);
  for (int b = 0; b < static_cast<int>(text.circuit.blocks.size()); ++b) {
    std::size_t begin = 0;
    if (held.plan.block(b).tied_to >= 0) continue;
    for (std::size_t t = 0; t < held.plan.tensors(b).size(); ++t) {
      const BlockRange range = held.plan.range(b, t);
      const auto count = at(range.end - range.begin);
      REQUIRE(begin + count <= text.weights[at(b)].size());
      std::copy_n(text.weights[at(b)].begin() + std::ptrdiff_t(begin), count,
                  held.theta.begin() + range.begin);
      begin += count;
    }
    CHECK(begin == text.weights[at(b)].size());
  }
  const auto copy_range = [&](const BlockRange& to, const BlockRange& range) {
    std::copy(from.theta.begin() + range.begin, from.theta.begin() + range.end,
              held.theta.begin() + to.begin);
  };
  copy_range(held.plan.style_prior(), from.plan.style_prior());
  copy_range(held.plan.style_values(), from.plan.style_values());
  return held;
}

// The circuit with other states; null where its states cannot be told apart.
struct Reshaped {
  Reshaped(const HeldCircuit& from, const Reshaping& reshaping, const testing::SymbolRows& rows,
           double noise = 0)
      : latents(find_latents(from.plan.circuit())),
        occupancy(occupancy_of(from.plan, latents, from.counts(rows, {.columns = 1000}))),
        maps(choose_states(latents, reshaping, occupancy)),
        text(with_states(text_of(from), latents, maps)) {
    add_noise(text, latents, noise, Rng(3));
  }
  Latents latents;
  Occupancy occupancy;
  StateMaps maps;
  CircuitText text;
};

std::int64_t nodes_of(const Circuit& circuit) {
  std::int64_t nodes = 0;
  for (const Block& block : circuit.blocks) nodes += block.size;
  return nodes;
}

HeldCircuit drawn(const Circuit& circuit) {
  HeldCircuit held(circuit);
  held.draw(7);
  return held;
}

}  // namespace

TEST_CASE("pc growing: copies of all states leave log p unchanged") {
  int grown = 0;
  for (const SmallCircuit& small : small_circuits()) {
    CAPTURE(small.name);
    const HeldCircuit held = drawn(small.circuit);
    const std::vector<double> nats = held.log_p(small.rows);
    for (const std::int64_t copies : {2, 3}) {
      const Reshaped made(held, {.grow = copies}, small.rows);
      if (nodes_of(made.text.circuit) == nodes_of(small.circuit)) continue;
      ++grown;
      const HeldCircuit larger = held_of(made.text, held);
      CHECK(find_weight_faults<double>(larger.params, larger.theta).empty());
      const std::vector<double> found = larger.log_p(small.rows);
      for (std::size_t i = 0; i < nats.size(); ++i) {
        CHECK(std::abs(found[i] - nats[i]) < 1e-10);
        if (i < 5) CHECK(std::abs(larger.plain_log_p(small.rows[i]) - nats[i]) < 1e-10);
      }
    }
  }
  CHECK(grown >= 10);
}

TEST_CASE("pc growing: neither one copy without noise nor all states change anything") {
  for (const SmallCircuit& small : small_circuits()) {
    CAPTURE(small.name);
    const HeldCircuit held = drawn(small.circuit);
    const Reshaped made(held, {.grow = 1, .keep_states = 1}, small.rows);
    CHECK(write_circuit(made.text.circuit) == write_circuit(small.circuit));
    CHECK(made.text.weights == text_of(held).weights);
  }
}

TEST_CASE("pc growing: noise makes copies differ and keeps rows distributions") {
  const HeldCircuit held =
      drawn(hidden_markov({"x", 3}, {.m = {2, 3}, .n = {2, 3}, .program = {}}));
  const testing::SymbolRows rows = {{0, 1, 2, 2}, {1, 1}};
  const Reshaped made(held, {.grow = 2}, rows, 0.5);
  const HeldCircuit larger = held_of(made.text, held);
  CHECK(find_weight_faults<double>(larger.params, larger.theta).empty());
  const std::vector<double> emission = larger.get("emission/p");
  CHECK(emission[0] != emission[3]);
  CHECK(std::abs(larger.log_p(rows)[0] - held.log_p(rows)[0]) > 1e-6);
}

TEST_CASE("pc growing: a state is as often expected as its posterior says") {
  const HeldCircuit held = drawn(hidden_markov({"x", 3}, {.m = {4}, .n = {4}, .program = {}}));
  const testing::SymbolRows rows = {{0, 1, 2, 2}, {1, -1, 0}};
  const Latents latents = find_latents(held.plan.circuit());
  const Occupancy occupancy = occupancy_of(held.plan, latents, held.counts(rows));
  std::vector<double> states;
  for (std::size_t l = 0; l < latents.all.size(); ++l)
    if (!latents.all[l].fixed) states = occupancy[l];
  REQUIRE(states.size() == 4);
  CHECK(std::abs(std::accumulate(states.begin(), states.end(), 0.0) - 7) < 1e-10);
}

TEST_CASE("pc keeping: states that are never reached are the first to go") {
  // States 1 and 3 have no way in, so what is left is the same distribution.
  HeldCircuit held = drawn(hidden_markov({"x", 3}, {.m = {4}, .n = {4}, .program = {}}));
  held.set("root/w", {0.25, 0, 0.75, 0});
  held.set("transition/w", {0.5, 0, 0.5, 0, 0.1, 0.2, 0.3, 0.4, 0.9, 0, 0.1, 0, 0, 0, 0.5, 0.5});
  const testing::SymbolRows rows = {{0, 1, 2, 2}, {1, -1, 0}, {2}};
  const Reshaped made(held, {.keep_states = 0.5}, rows);
  const HeldCircuit smaller = held_of(made.text, held);
  CHECK(made.text.circuit.blocks[0].size == 2);
  const std::vector<double> nats = held.log_p(rows), found = smaller.log_p(rows);
  for (std::size_t i = 0; i < nats.size(); ++i) CHECK(std::abs(found[i] - nats[i]) < 1e-10);
}

TEST_CASE("pc keeping: of a grid whole indices of its last axis stay") {
  const HeldCircuit held =
      drawn(hidden_markov({"x", 3}, {.m = {2, 4}, .n = {2, 4}, .program = {}}));
  const testing::SymbolRows rows = {{0, 1, 2, 2}, {1, -1, 0}};
  const Reshaped made(held, {.keep_states = 0.5}, rows);
  const auto sum = std::ranges::find(made.text.circuit.blocks, "transition", &Block::id);
  CHECK(sum->factors.m == std::vector<std::int64_t>{2, 2});
  CHECK(sum->factors.n == std::vector<std::int64_t>{2, 2});
  const HeldCircuit smaller = held_of(made.text, held);
  CHECK(find_weight_faults<double>(smaller.params, smaller.theta).empty());
  CHECK(std::isfinite(smaller.log_p(rows)[0]));
}

TEST_CASE("pc keeping: every latent of a tree keeps a number of its own") {
  const std::vector<Variable> variables = {{"a", 2}, {"b", 2}, {"c", 2}};
  HeldCircuit held = drawn(hidden_tree(variables, {-1, 0, 0}, {.transition = square_sum(4, {})}));
  // The first latent needs one state alone.
  held.set("root/w", {1, 0, 0, 0});
  const testing::SymbolRows rows = all_rows({2, 2, 2});
  const Reshaped made(held, {.keep_states = 0.5}, rows);
  const auto size = [&](const char* id) {
    return std::ranges::find(made.text.circuit.blocks, id, &Block::id)->size;
  };
  CHECK(size("state.0") == 1);
  CHECK(size("leaf.1") + size("leaf.2") == 5);
}

TEST_CASE("pc keeping: a share that leaves some latent without states is refused") {
  const HeldCircuit held = drawn(hidden_markov({"x", 3}, {.m = {4}, .n = {4}, .program = {}}));
  CHECK_THROWS_WITH_AS(Reshaped(held, {.keep_states = 0.2}, {{0, 1}}),
                       doctest::Contains("no state would be left"), Error);
}

}  // namespace logpx::reshaping_test
