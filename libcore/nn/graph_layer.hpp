#pragma once

#include "libcore/nn/linear.hpp"
#include "libcore/nn/mlp.hpp"
#include "libcore/nn/norm.hpp"

#include <optional>

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

}  // namespace logpx
