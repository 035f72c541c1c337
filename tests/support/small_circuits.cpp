#include "tests/support/small_circuits.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/structures/regions.hpp"

#include <algorithm>
#include <utility>

namespace logpx::testing {

using namespace logpx::pc;

namespace {

Circuit two_ways() {  // Kronecker products, a sum of two layers that meet one axis twice, a mixing
  Circuit circuit;
  circuit.variables = {{"a", 2}, {"b", 3}, {"c", 2}};
  circuit.blocks = {pc::Block::leaf("la", 2, 0),
                    pc::Block::leaf("lb", 2, 1),
                    pc::Block::leaf("lc", 4, 2),
                    pc::Block::kronecker("k", 4, {0, 1}),
                    pc::Block::dense_sum("s", 4, {3}, 4),
                    pc::Block::sum("t", {.m = {2, 2}, .n = {2, 2}, .program = {1, 2, 1}}, {3}),
                    pc::Block::mixing("mix", 4, {4, 5}),
                    pc::Block::hadamard("h", 4, {6, 2}),
                    pc::Block::kronecker("k3", 16, {0, 1, 2}),
                    pc::Block::dense_sum("root", 1, {7, 8}, 20)};
  circuit.root = 9;
  return circuit;
}

Circuit pair_chain() {  // two variables in each step
  Circuit circuit;
  circuit.variables = {{"a", 2}, {"b", 3}};
  circuit.blocks = {pc::Block::carry("next", 3),
                    pc::Block::dense_sum("move", 3, {0}, 3),
                    pc::Block::leaf("la", 3, 0),
                    pc::Block::leaf("lb", 3, 1),
                    pc::Block::hadamard("state", 3, {1, 2, 3}),
                    pc::Block::dense_sum("root", 1, {4}, 3)};
  circuit.carried = 4;
  circuit.root = 5;
  return circuit;
}

Circuit quads() {
  const RegionGraph graph = quad_regions({.height = 2, .width = 2}, QuadSplit::both_halves);
  return region_circuit({{"a", 2}, {"b", 3}, {"c", 2}, {"d", 2}}, graph,
                        {.sums = square_sum(2, {}), .product = ProductKind::kronecker});
}

HeldCircuit drawn_circuit(const Circuit& circuit, std::uint64_t seed) {
  HeldCircuit held(circuit);
  held.draw(seed);
  return held;
}

}  // namespace

std::vector<SmallCircuit> small_circuits() {
  const SymbolRows three = {{0, 1, 1}, {1, -1, 0}, {-1, 2, -1}, {-1, -1, -1}};
  return {
      {"two ways", two_ways(), three},
      {"monarch markov",
       hidden_markov({"x", 3}, {.m = {3, 2}, .n = {2, 3}, .program = {}}),
       {{0, 1, -1, 1}, {2, -1, -1}, {-1, -1}, {-1, 2, 0, -1}}},
      {"tree",
       hidden_tree({{"a", 2}, {"b", 3}, {"c", 2}}, {1, -1, 1}, {.transition = square_sum(3, {})}),
       three},
      {"pairs", pair_chain(), {{0, 1, -1, -1, 1, 2}, {-1, 2, 1, -1}, {-1, -1, -1, -1}, {1, -1}}},
      {"styled tree",
       hidden_tree({{"a", 3}, {"b", 3}, {"c", 3}}, {1, -1, 1},
                   {.transition = square_sum(2, {}),
                    .dictionary = {.elements = 3, .styles = 2},
                    .hosts = {-1, -1, 1}}),
       three},
      {"mixture", mixture({{"a", 2}, {"b", 3}, {"c", 2}}, 4), three},
      {"quads", quads(), {{0, 1, 1, 0}, {1, -1, 0, -1}, {-1, 2, -1, -1}, {-1, -1, -1, -1}}}};
}

AskedCircuit::AskedCircuit(HeldCircuit of)
    : held(std::move(of)),
      reader({}, held.plan.circuit()),
      queries(held.plan, held.params, reader, held.theta) {}

AskedCircuit::AskedCircuit(const Circuit& circuit, std::uint64_t seed)
    : AskedCircuit(drawn_circuit(circuit, seed)) {}

Evidence evidence_of(const SymbolRows& rows) {
  Evidence evidence;
  for (const auto& row : rows) evidence.width = std::max(evidence.width, std::ssize(row));
  for (const auto& row : rows) {
    evidence.x.insert(evidence.x.end(), row.begin(), row.end());
    evidence.lengths.push_back(std::ssize(row));
    evidence.x.resize(at(evidence.count() * evidence.width), -1);
  }
  return evidence;
}

}  // namespace logpx::testing
