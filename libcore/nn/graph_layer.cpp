#include "libcore/nn/graph_layer.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_graph.hpp"
#include "libcore/grad/ops_pointwise.hpp"

#include <cmath>

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

}  // namespace logpx
