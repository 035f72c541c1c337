// Partly hidden graphs for tests of graph networks, and the answers of a network.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/mol/molecule.hpp"
#include "libcore/nn/graph_net.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace logpx {

// The inputs of GraphState, for `graphs` graphs filled up to `nodes` nodes.
struct GraphStateValues {
  std::int64_t graphs = 1, nodes = 2;
  std::vector<std::int32_t> node_values = {}, pair_values = {};
  std::vector<double> exists = {}, nodes_shown = {}, pairs_shown = {};

  GraphStateValues(std::int64_t b, std::int64_t n)
      : graphs(b),
        nodes(n),
        node_values(at(b * n)),
        pair_values(at(b * pairs_of(n))),
        exists(at(b * n)),
        nodes_shown(at(b * n)),
        pairs_shown(at(b * pairs_of(n))) {}
  // Graph b has `size` nodes; a share of its variables is shown.
  void draw(std::int64_t b, std::int64_t size, const GraphNetOptions& kinds, Cursor& cursor) {
    const auto draw_one = [&](std::int64_t count) {
      return static_cast<std::int32_t>(cursor.below(static_cast<std::uint32_t>(count)));
    };
    for (std::int64_t i = 0; i < size; ++i) {
      exists[at(b * nodes + i)] = 1;
      node_values[at(b * nodes + i)] = draw_one(kinds.node_values);
      nodes_shown[at(b * nodes + i)] = cursor.below(2);
      for (std::int64_t j = i + 1; j < size; ++j) {
        const std::size_t pair = at(b * pairs_of(nodes) + pair_number(nodes, i, j));
        pair_values[pair] = draw_one(kinds.edge_values);
        pairs_shown[pair] = cursor.below(3) > 0;
      }
    }
  }
};

// Numbers of nodes and of pairs: logits and then policies, [B,n,..] and [B,n(n-1)/2,..].
struct GraphNumbers {
  std::vector<double> nodes, pairs;
};

template <typename T>
GraphNumbers graph_numbers(const GraphNet& net, const ParamSet& params, std::span<const T> block,
                           const GraphStateValues& state, const Numerics& numerics = {}) {
  Graph graph(std::is_same_v<T, float> ? Precision::f32 : Precision::f64);
  const GraphAnswer answer = net(params, graph_state(graph, state.graphs, state.nodes));
  const auto both = [](const std::optional<Var>& logits, const std::optional<Var>& policy) {
    if (!logits) return *policy;
    return policy ? concat({*logits, *policy}, -1) : *logits;
  };
  graph.output("nodes", both(answer.node_logits, answer.node_policy));
  graph.output("pairs", both(answer.pair_logits, answer.pair_policy));
  Executor<T> run(graph, {.numerics = numerics});
  std::map<std::string, std::vector<T>> bound;
  const std::pair<const char*, const std::vector<double>*> masks[] = {
      {"exists", &state.exists},
      {"nodes_shown", &state.nodes_shown},
      {"pairs_shown", &state.pairs_shown}};
  for (const auto& [name, values] : masks) {
    bound[name].assign(values->begin(), values->end());
    run.bind(name, bound[name]);
  }
  run.bind_index("node_values", state.node_values);
  run.bind_index("pair_values", state.pair_values);
  run.bind_parameters(block);
  run.forward();
  const auto values = [&](const char* name) {
    const View<const T> y = run.output(name);
    return std::vector<double>(y.data, y.data + y.size());
  };
  return {values("nodes"), values("pairs")};
}

}  // namespace logpx
