#include "libcore/nn/graph_features.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/shape_rule.hpp"
#include "libcore/nn/graph_counts.hpp"

#include <algorithm>
#include <memory>

namespace logpx {
namespace {

// A tenth of the count, at most 1.
double tenth(double count) { return std::min(count / 10, 1.0); }

// What is shown of one graph.
struct ShownGraph {
  std::int64_t nodes = 0;
  std::vector<std::int32_t> kinds;    // -1: hidden
  std::vector<double> edges, orders;  // [n,n]
};

// All features of a shard in one row per graph: those of its nodes, then its own.
struct GraphFeaturesOp final : TypedOp<GraphFeaturesOp> {
  GraphFeaturesOp(GraphFeatures f, double w) : features(std::move(f)), most_weight(w) {}
  GraphFeatures features;
  double most_weight;

  const char* name() const override { return "graph_features"; }
  bool differentiable() const override { return false; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &nodes = in[0], &pairs = in[1];
    expect_fit(nodes.rank() == 2 && pairs == Shape{nodes[0], nodes[1] * (nodes[1] - 1) / 2} &&
                   in[2] == nodes && in[3] == nodes && in[4] == pairs,
               in, "expected nodes [B,n], their pairs, and a mask of each");
    return {nodes[0], nodes[1] * features.per_node() + features.per_graph()};
  }

  template <typename T>
  static ShownGraph shown(const Frame<T>& f, std::int64_t b) {
    const std::int64_t n = f.inputs[0].shape[1], pairs = f.inputs[1].shape[1];
    ShownGraph graph;
    while (graph.nodes < n && f.in(2)[b * n + graph.nodes] != 0) ++graph.nodes;
    for (std::int64_t i = 0; i < graph.nodes; ++i)
      graph.kinds.push_back(f.in(3)[b * n + i] != 0 ? f.index(0)[b * n + i] : -1);
    graph.edges.resize(at(graph.nodes * graph.nodes));
    graph.orders.resize(graph.edges.size());
    std::int64_t pair = b * pairs;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = i + 1; j < n; ++j, ++pair) {
        if (j >= graph.nodes || f.in(4)[pair] == 0 || f.index(1)[pair] == 0) continue;
        for (const std::int64_t place : {i * graph.nodes + j, j * graph.nodes + i}) {
          graph.edges[at(place)] = 1;
          graph.orders[at(place)] = f.index(1)[pair];
        }
      }
    return graph;
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t n = f.inputs[0].shape[1], width = f.output_shape[1];
    std::fill_n(f.output, f.out().size(), T(0));
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b) {
      const ShownGraph graph = shown(f, b);
      if (graph.nodes == 0) continue;
      std::vector<std::vector<double>> of_nodes(at(graph.nodes));
      std::vector<double> of_graph;
      describe(graph, of_nodes, of_graph);
      T* to = f.output + b * width;
      for (const auto& node : of_nodes)
        for (const double value : node) *to++ = static_cast<T>(value);
      to = f.output + b * width + n * features.per_node();
      for (const double value : of_graph) *to++ = static_cast<T>(value);
    }
  }
  template <typename T>
  void backward(const Frame<T>&) const {}

  void describe(const ShownGraph& graph, std::vector<std::vector<double>>& of_nodes,
                std::vector<double>& of_graph) const {
    const RingCounts rings = count_rings(graph.edges, graph.nodes);
    for (std::size_t i = 0; i < of_nodes.size(); ++i)
      for (const double count : rings.of_nodes[i]) of_nodes[i].push_back(tenth(count));
    for (const double count : rings.of_graph) of_graph.push_back(tenth(count));
    if (features.counts == GraphCounts::all) {
      const Spectrum spectrum = spectrum_of(graph.edges, graph.nodes);
      for (std::size_t i = 0; i < of_nodes.size(); ++i)
        for (const double entry : spectrum.vectors[i]) of_nodes[i].push_back(entry);
      of_graph.push_back(spectrum.pieces);
      of_graph.insert(of_graph.end(), spectrum.values.begin(), spectrum.values.end());
    }
    if (!features.valences.empty()) describe_bonds(graph, of_nodes, of_graph);
  }

  void describe_bonds(const ShownGraph& graph, std::vector<std::vector<double>>& of_nodes,
                      std::vector<double>& of_graph) const {
    double weight = 0;
    for (std::size_t i = 0; i < of_nodes.size(); ++i) {
      double used = 0;
      for (std::int64_t j = 0; j < graph.nodes; ++j)
        used += graph.orders[i * at(graph.nodes) + at(j)];
      const bool is_shown = graph.kinds[i] >= 0;
      of_nodes[i].push_back(used);
      of_nodes[i].push_back(is_shown ? features.valences[at(graph.kinds[i])] - used : 0);
      if (is_shown) weight += features.weights[at(graph.kinds[i])];
    }
    of_graph.push_back(weight / most_weight);
  }
};

}  // namespace

std::int64_t GraphFeatures::per_node() const {
  if (counts == GraphCounts::none) return 0;
  return (counts == GraphCounts::all ? 5 : 3) + (valences.empty() ? 0 : 2);
}

std::int64_t GraphFeatures::per_graph() const {
  if (counts == GraphCounts::none) return 0;
  return (counts == GraphCounts::all ? 10 : 4) + (valences.empty() ? 0 : 1);
}

GraphFeatureValues graph_features(const GraphFeatures& features, double most_weight,
                                  const GraphFeatureInputs& in) {
  const std::int64_t b = in.exists.shape()[0], n = in.exists.shape()[1];
  const Var all = in.exists.graph().apply(
      std::make_unique<GraphFeaturesOp>(features, most_weight),
      {in.node_values, in.pair_values, in.exists, in.nodes_shown, in.pairs_shown});
  const std::int64_t of_nodes = n * features.per_node();
  return {.nodes = slice(all, 1, 0, of_nodes).reshape({b, n, features.per_node()}),
          .globals = slice(all, 1, of_nodes, of_nodes + features.per_graph())};
}

}  // namespace logpx
