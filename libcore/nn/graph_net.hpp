// A graph transformer that reads a partly hidden labelled graph and gives logits for each of its
// variables: nodes 0 .. n-1, then the pairs i < j row by row.   [arm/README 8.3]
//
//   const GraphNet net(site / "net", {.node_values = 4, .edge_values = 4, .most_nodes = 9,
//                                     .policies = 1});
//   Graph graph;                                       // 8 graphs of up to 5 nodes
//   const GraphState state = graph_state(graph, 8, 5);
//   const GraphAnswer answer = net(params, state);     // answer.node_logits [8,5,4] ...
//   run.bind_index("node_values", values);             // and the other four
#pragma once

#include "libcore/nn/graph_features.hpp"
#include "libcore/nn/linear.hpp"
#include "libcore/nn/mlp.hpp"
#include "libcore/nn/norm.hpp"

#include <optional>
#include <vector>

namespace logpx {

// Channels of what a graph transformer works on: nodes, ordered pairs of them, and the whole graph.
struct GraphWidths {
  std::int64_t nodes = 48, edges = 24, globals = 24;
};

struct GraphValues {
  Var nodes;    // [B,n,width.nodes]
  Var edges;    // [B,n,n,width.edges]
  Var globals;  // [B,width.globals]
};
struct GraphMasks {
  Var nodes;  // [B,n]: 0 where there is no node
  Var edges;  // [B,n,n]: 0 as well from a node to itself
};

struct GraphLayerOptions {
  GraphWidths width = {}, feed_forward = {};
  std::int64_t heads = 4;
};

// Nothing reads the globals of the last layer: without their update it has no tensors for them.
enum class GlobalUpdate { with, without };

// A layer in the shape of DiGress. Scores of ordered pairs, one for each channel, are gated by
// the pair's edge; they are what the edge learns, and by them nodes attend to each other. The whole
// graph modulates both, and learns from the statistics of nodes and edges. Each of the three is
// followed by a residual norm, a feed-forward part, and a norm.   [arm/README 8.3]
//
// Missing nodes and edges are left out of attention and statistics; their values have no meaning
// and change nothing.
class GraphLayer {
 public:
  GraphLayer(const Site& site, const GraphLayerOptions& options, GlobalUpdate update);
  [[nodiscard]] GraphValues operator()(const ParamSet& params, const GraphValues& x,
                                       const GraphMasks& masks) const;

 private:
  // What follows a part's update.
  class Tail {
   public:
    Tail(const Site& site, std::int64_t width, std::int64_t hidden);
    [[nodiscard]] Var operator()(const ParamSet& params, Var x, Var update) const;

   private:
    std::string step_;
    LayerNorm norm1_;
    Mlp dense_;
    LayerNorm norm2_;
  };
  struct Globals {
    Linear own, from_nodes, from_edges;
    Mlp out;
    Tail tail;
  };

  std::string step_;
  double scale_;
  Linear q_, k_, v_, gates_, edge_film_, node_film_, edge_out_, node_out_;
  Tail nodes_, edges_;
  std::optional<Globals> globals_;
};

struct GraphNetOptions {
  std::int64_t node_values = 4, edge_values = 4;  // kinds of nodes and of edges
  std::int64_t most_nodes = 1;                    // of any graph: sizes are read relative to it
  std::int64_t layers = 3, heads = 4;
  GraphWidths width = {}, feed_forward = {}, hidden = {};  // hidden: of input and output
  // Numbers per variable beside the logits of its values, whose weights start at zero: h, g of a
  // policy.
  std::int64_t policies = 0;
  enum class Logits { with, without } logits = Logits::with;
  GraphFeatures features = {};
};

// A shard of graphs, filled up to n >= 2 nodes. Values are given also where they are not shown;
// where there is no variable they may be anything in range, and none is shown.
struct GraphState {
  Var node_values, pair_values;  // indices, [B,n] and [B,n(n-1)/2]
  Var exists;                    // [B,n]: 1 for a node, 0 behind the last one
  Var nodes_shown, pairs_shown;  // [B,n], [B,n(n-1)/2]: 1 or 0
};
// All five as inputs of those names.
[[nodiscard]] GraphState graph_state(Graph& graph, std::int64_t graphs, std::int64_t nodes);

// Numbers of variables that do not exist have no meaning.
struct GraphAnswer {
  std::optional<Var> node_logits, pair_logits;  // [B,n,node_values], [B,n(n-1)/2,edge_values]
  std::optional<Var> node_policy, pair_policy;  // [B,n,policies], [B,n(n-1)/2,policies]
};

class GraphNet {
 public:
  GraphNet(const Site& site, const GraphNetOptions& options);
  [[nodiscard]] GraphAnswer operator()(const ParamSet& params, const GraphState& state) const;

 private:
  // A hidden layer, then logits and policies.
  class Answers {
   public:
    Answers(const Site& site, std::int64_t width, std::int64_t hidden, std::int64_t values,
            const GraphNetOptions& options);
    [[nodiscard]] Var hidden(const ParamSet& params, Var x) const { return hidden_(params, x); }
    [[nodiscard]] std::optional<Var> logits(const ParamSet& params, Var hidden) const;
    [[nodiscard]] std::optional<Var> policy(const ParamSet& params, Var hidden) const;

   private:
    Linear hidden_;
    std::optional<Linear> logits_, policy_;
  };

  [[nodiscard]] GraphValues read(const ParamSet& params, const GraphState& state) const;

  std::string step_;
  GraphNetOptions options_;
  Mlp nodes_in_, edges_in_, globals_in_;
  std::vector<GraphLayer> layers_;
  Answers nodes_out_, pairs_out_;
};

}  // namespace logpx
