#include "libcore/nn/graph_net.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_graph.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace logpx {
namespace {

constexpr MlpOptions feed_forward_options = {.hidden = Activation::relu};

}  // namespace

GraphLayer::Tail::Tail(const Site& site, std::int64_t width, std::int64_t hidden)
    : step_(site.step()),
      norm1_(site / "norm1", width),
      dense_(site / "", {width, hidden, width}, feed_forward_options),
      norm2_(site / "norm2", width) {}

Var GraphLayer::Tail::operator()(const ParamSet& params, Var x, Var update) const {
  const LayerScope scope(x, step_);
  const Var y = norm1_(params, add(x, update));
  return norm2_(params, add(y, dense_(params, y)));
}

GraphLayer::GraphLayer(const Site& site, const GraphLayerOptions& options, GlobalUpdate update)
    : step_(site.step()),
      scale_(1 / std::sqrt(static_cast<double>(options.width.nodes / options.heads))),
      q_(site / "q", options.width.nodes, options.width.nodes),
      k_(site / "k", options.width.nodes, options.width.nodes),
      v_(site / "v", options.width.nodes, options.width.nodes),
      gates_(site / "gates", options.width.edges, 2 * options.width.nodes),
      edge_film_(site / "edge_film", options.width.globals, 2 * options.width.nodes),
      node_film_(site / "node_film", options.width.globals, 2 * options.width.nodes),
      edge_out_(site / "edge_out", options.width.nodes, options.width.edges),
      node_out_(site / "node_out", options.width.nodes, options.width.nodes),
      nodes_(site / "nodes", options.width.nodes, options.feed_forward.nodes),
      edges_(site / "edges", options.width.edges, options.feed_forward.edges) {
  LOGPX_ASSERT(options.heads >= 1 && options.width.nodes % options.heads == 0);
  if (update == GlobalUpdate::without) return;
  const std::int64_t width = options.width.globals;
  const Site globals = site / "globals";
  globals_.emplace(Globals{.own = {globals / "own", width, width},
                           .from_nodes = {globals / "from_nodes", 4 * options.width.nodes, width},
                           .from_edges = {globals / "from_edges", 4 * options.width.edges, width},
                           .out = {globals / "out", {width, width, width}, feed_forward_options},
                           .tail = {globals / "tail", width, options.feed_forward.globals}});
}

GraphValues GraphLayer::operator()(const ParamSet& params, const GraphValues& x,
                                   const GraphMasks& masks) const {
  const LayerScope scope(x.nodes, step_);
  const Var scores = edge_scores({.q = q_(params, x.nodes),
                                  .k = k_(params, x.nodes),
                                  .gates = gates_(params, x.edges),
                                  .scale = scale_});
  const Var told = edge_attention(scores, v_(params, x.nodes), masks.nodes);
  const Var edge_update = edge_out_(params, modulate(scores, edge_film_(params, x.globals)));
  const Var node_update = node_out_(params, modulate(told, node_film_(params, x.globals)));
  GraphValues y{.nodes = nodes_(params, x.nodes, node_update),
                .edges = edges_(params, x.edges, edge_update),
                .globals = x.globals};
  if (globals_) {
    const Shape& e = x.edges.shape();
    const Var of_edges = row_statistics(x.edges.reshape({e[0], e[1] * e[2], e[3]}),
                                        masks.edges.reshape({e[0], e[1] * e[2]}));
    const Var sum = globals_->own(params, x.globals) +
                    globals_->from_nodes(params, row_statistics(x.nodes, masks.nodes)) +
                    globals_->from_edges(params, of_edges);
    y.globals = globals_->tail(params, x.globals, globals_->out(params, sum));
  }
  return y;
}

namespace {

constexpr MlpOptions reading = {.hidden = Activation::relu, .output = Activation::relu};

std::int64_t nodes_in_width(const GraphNetOptions& options) {
  return options.node_values + options.features.per_node();
}
// Inputs for a whole graph: how many nodes, how much of it is shown, and features.
std::int64_t globals_in_width(const GraphNetOptions& options) {
  return 2 + options.features.per_graph();
}

double most_weight(const GraphNetOptions& options) {
  const std::vector<double>& weights = options.features.weights;
  const double heaviest = weights.empty() ? 1 : *std::ranges::max_element(weights);
  return heaviest * static_cast<double>(options.most_nodes);
}

// 1 for two different nodes, 0 for one and itself: [n,n].
Var off_diagonal(Graph& graph, std::int64_t n) {
  Tensor<double> ones({n, n});
  std::ranges::fill(ones.span(), 1.0);
  for (std::int64_t i = 0; i < n; ++i) ones[i * n + i] = 0;
  return graph.constant(ones);
}

// A hidden or missing one is all zeros.
Var one_hot_where(Var values, Var shown, std::int64_t kinds) {
  const Shape& s = shown.shape();
  return multiply(one_hot(values, kinds), shown.reshape({s[0], s[1], 1}));
}

}  // namespace

GraphState graph_state(Graph& graph, std::int64_t graphs, std::int64_t nodes) {
  const Shape each{graphs, nodes}, pairs{graphs, nodes * (nodes - 1) / 2};
  return {.node_values = graph.index_input("node_values", each),
          .pair_values = graph.index_input("pair_values", pairs),
          .exists = graph.input("exists", each),
          .nodes_shown = graph.input("nodes_shown", each),
          .pairs_shown = graph.input("pairs_shown", pairs)};
}

GraphNet::Answers::Answers(const Site& site, std::int64_t width, std::int64_t hidden,
                           std::int64_t values, const GraphNetOptions& options)
    : hidden_(site / "hidden", width, hidden, {.activation = Activation::relu}) {
  if (options.logits == GraphNetOptions::Logits::with)
    logits_.emplace(site / "logits", hidden, values);
  if (options.policies > 0)
    policy_.emplace(site / "policy", hidden, options.policies,
                    LinearOptions{.weights = Init::zeros()});
}

std::optional<Var> GraphNet::Answers::logits(const ParamSet& params, Var hidden) const {
  return logits_ ? std::optional((*logits_)(params, hidden)) : std::nullopt;
}

std::optional<Var> GraphNet::Answers::policy(const ParamSet& params, Var hidden) const {
  return policy_ ? std::optional((*policy_)(params, hidden)) : std::nullopt;
}

GraphNet::GraphNet(const Site& site, const GraphNetOptions& options)
    : step_(site.step()),
      options_(options),
      nodes_in_(site / "in/nodes",
                {nodes_in_width(options), options.hidden.nodes, options.width.nodes}, reading),
      edges_in_(site / "in/edges", {options.edge_values, options.hidden.edges, options.width.edges},
                reading),
      globals_in_(site / "in/globals",
                  {globals_in_width(options), options.hidden.globals, options.width.globals},
                  reading),
      layers_([&] {
        std::vector<GraphLayer> layers;
        for (std::int64_t i = 0; i < options.layers; ++i)
          layers.emplace_back(site / ("layer" + std::to_string(i)),
                              GraphLayerOptions{options.width, options.feed_forward, options.heads},
                              i + 1 == options.layers ? GlobalUpdate::without : GlobalUpdate::with);
        return layers;
      }()),
      nodes_out_(site / "out/nodes", options.width.nodes, options.hidden.nodes, options.node_values,
                 options),
      pairs_out_(site / "out/pairs", options.width.edges, options.hidden.edges, options.edge_values,
                 options) {
  LOGPX_ASSERT(options.layers >= 1 && options.most_nodes >= 1);
}

// Edges are read alike from both ends, so they stay symmetric.
GraphValues GraphNet::read(const ParamSet& params, const GraphState& state) const {
  const std::int64_t b = state.exists.shape()[0], n = state.exists.shape()[1];
  Var nodes = one_hot_where(state.node_values, state.nodes_shown, options_.node_values);
  const Var count = sum(state.exists, 1), variables = multiply(count, affine(count, 0.5, 0.5));
  const Var shown = divide(sum(state.nodes_shown, 1) + sum(state.pairs_shown, 1), variables);
  std::vector<Var> globals = {(count / static_cast<double>(options_.most_nodes)).reshape({b, 1}),
                              shown.reshape({b, 1})};
  if (options_.features.counts != GraphCounts::none) {
    const GraphFeatureValues features = graph_features(
        options_.features, most_weight(options_),
        {state.node_values, state.pair_values, state.exists, state.nodes_shown, state.pairs_shown});
    nodes = concat({nodes, features.nodes}, -1);
    globals.push_back(features.globals);
  }
  const Var pairs = one_hot_where(state.pair_values, state.pairs_shown, options_.edge_values);
  return {.nodes = nodes_in_(params, nodes),
          .edges = edges_in_(params, triangular_unpack(pairs, n)),
          .globals = globals_in_(params, concat(globals, -1))};
}

GraphAnswer GraphNet::operator()(const ParamSet& params, const GraphState& state) const {
  const LayerScope scope(state.exists, step_);
  const std::int64_t n = state.exists.shape()[1];
  LOGPX_ASSERT(n >= 2);
  const GraphMasks masks{
      .nodes = state.exists,
      .edges = multiply(outer(state.exists, state.exists), off_diagonal(state.exists.graph(), n))};
  GraphValues x = read(params, state);
  for (const GraphLayer& layer : layers_) {
    const Graph::Recompute region(state.exists.graph());
    x = layer(params, x, masks);
  }
  const Var of_nodes = nodes_out_.hidden(params, x.nodes),
            of_pairs = pair_means(pairs_out_.hidden(params, x.edges));
  return {.node_logits = nodes_out_.logits(params, of_nodes),
          .pair_logits = pairs_out_.logits(params, of_pairs),
          .node_policy = nodes_out_.policy(params, of_nodes),
          .pair_policy = pairs_out_.policy(params, of_pairs)};
}

}  // namespace logpx
