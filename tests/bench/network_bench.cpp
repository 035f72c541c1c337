// Whole networks of the families: a training step of a graph transformer, and what a U-Net costs
// when it must give the same bits everywhere.
#include "libcore/det/draws.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops.hpp"
#include "libcore/grad/ops_attention.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/nn/linear.hpp"
#include "libcore/nn/norm.hpp"
#include "libcore/nn/unet.hpp"
#include "tests/bench/bench.hpp"

#include <memory>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

constexpr std::int64_t graphs = 128, graph_nodes = 9, node_width = 48, edge_width = 24, kinds = 4;

std::vector<float> normals(std::int64_t count, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  fill_normals(Rng(seed).stream(Stream::test), 0, values);
  return values;
}

// Nodes and edges of a layer of a graph transformer   [spec/loarm.md section 9.1]
struct GraphState {
  Var nodes, edges;
};

class GraphLayer {
 public:
  explicit GraphLayer(const Site& site)
      : q_(site / "q", node_width, node_width),
        k_(site / "k", node_width, node_width),
        v_(site / "v", node_width, node_width),
        factor_(site / "factor", edge_width, node_width),
        bias_(site / "bias", edge_width, node_width),
        pooled_(site / "pooled", 4 * node_width, node_width),
        to_nodes_(site / "to_nodes", node_width, node_width),
        to_edges_(site / "to_edges", node_width, edge_width),
        node_norm_(site / "node_norm", node_width),
        edge_norm_(site / "edge_norm", edge_width) {}

  GraphState operator()(const ParamSet& params, const GraphState& state, Var mask) const {
    const Var scores = edge_scores({.q = q_(params, state.nodes),
                                    .k = k_(params, state.nodes),
                                    .edge_factor = factor_(params, state.edges),
                                    .edge_bias = bias_(params, state.edges),
                                    .heads = node_width,
                                    .scale = 0.4});
    const Var told = edge_attention(scores, v_(params, state.nodes), mask);
    const Var whole = pooled_(params, concat({masked_pool(state.nodes, mask, Pool::mean),
                                              masked_pool(state.nodes, mask, Pool::min),
                                              masked_pool(state.nodes, mask, Pool::max),
                                              masked_pool(state.nodes, mask, Pool::std)},
                                             -1));
    const Var nodes = to_nodes_(params, told + whole.reshape({graphs, 1, node_width}));
    return {node_norm_(params, state.nodes + nodes),
            edge_norm_(params, state.edges + to_edges_(params, scores))};
  }

 private:
  Linear q_, k_, v_, factor_, bias_, pooled_, to_nodes_, to_edges_;
  LayerNorm node_norm_, edge_norm_;
};

void bench_graph_transformer(Bench& bench) {
  ParamSet params;
  Initialisers initialisers;
  const Site site(params, initialisers);
  const Linear nodes_in(site / "nodes_in", kinds, node_width);
  const Linear edges_in(site / "edges_in", kinds, edge_width);
  std::vector<GraphLayer> layers;
  for (int i = 0; i < 3; ++i) layers.emplace_back(site / ("layer" + std::to_string(i)));
  initialisers.run(params, Rng(1));

  Graph graph;
  const Var mask = graph.input("mask", {graphs, graph_nodes});
  GraphState state = {
      nodes_in(params, graph.input("nodes", {graphs, graph_nodes, kinds})),
      edges_in(params, graph.input("edges", {graphs, graph_nodes, graph_nodes, kinds}))};
  for (const GraphLayer& layer : layers) state = layer(params, state, mask);
  graph.output("loss", sum(square(state.nodes)) + sum(square(state.edges)));
  Executor<float> run(graph, {.from = "loss", .parameters = true});
  const std::vector<float> kept(graphs * graph_nodes, 1),
      nodes = normals(graphs * graph_nodes * kinds, 1),
      edges = normals(graphs * graph_nodes * graph_nodes * kinds, 2);
  std::vector<float> gradients(static_cast<std::size_t>(params.block_size()));
  run.bind("mask", kept);
  run.bind("nodes", nodes);
  run.bind("edges", edges);
  run.bind_parameters(params.block(), gradients);
  const double seconds = bench.seconds([&] {
    run.forward();
    run.backward();
  });
  bench.add({.name = "graph transformer, 128 graphs of 9 nodes, fwd+bwd",
             .value = 1e3 * seconds,
             .unit = "ms"});
}

// A forward pass over 8x8 pictures.
class UnetPass {
 public:
  UnetPass(const ParamSet& params, const Unet& net, const PlanRequest& request) {
    graph_.output("y", net(params, graph_.input("x", {pictures, 1, side, side})));
    run_ = std::make_unique<Executor<float>>(graph_, request);
    run_->bind("x", x_);
    run_->bind_parameters(params.block());
  }
  void operator()() { run_->forward(); }

 private:
  static constexpr std::int64_t pictures = 16, side = 8;
  Graph graph_;
  std::vector<float> x_ = normals(pictures * side * side, 3);
  std::unique_ptr<Executor<float>> run_;
};

void bench_unet(Bench& bench) {
  ParamSet params;
  Initialisers initialisers;
  const Unet net(Site(params, initialisers), {.in_channels = 1, .out_channels = 1, .channels = 32});
  initialisers.run(params, Rng(1));
  UnetPass fast(params, net, {}), repeatable(params, net, {.numerics = repeatable_numerics});
  const std::vector<double> seconds = bench.seconds({[&] { fast(); }, [&] { repeatable(); }});
  bench.add({.name = "u-net on 8x8, repeatable forward",
             .value = 1e3 * seconds[1],
             .unit = "ms",
             .share = seconds[0] / seconds[1],
             .floor = 0.4,
             .of = "the fast one"});
}

}  // namespace

void bench_networks(Bench& bench) {
  bench_graph_transformer(bench);
  bench_unet(bench);
}

}  // namespace logpx::bench
