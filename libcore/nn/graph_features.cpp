#include "libcore/nn/graph_features.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/math/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace logpx {
namespace {

using Matrix = std::vector<double>;

// Both factors are symmetric and commute.
Matrix product(std::span<const double> a, std::span<const double> b, std::int64_t n) {
  Matrix c(at(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t j = 0; j < n; ++j) c[at(i * n + j)] += a[at(i * n + k)] * b[at(k * n + j)];
  return c;
}

double row_product(std::span<const double> a, std::span<const double> b, std::int64_t i,
                   std::int64_t n) {
  double sum = 0;
  for (std::int64_t j = 0; j < n; ++j) sum += a[at(i * n + j)] * b[at(i * n + j)];
  return sum;
}

constexpr double zero = 1e-8;  // eigenvalues of a Laplacian of a few dozen nodes are far from it

}  // namespace

// Rings are closed walks of as many steps, less those that pass a node twice. With d the degrees, t
// the closed walks of 3 steps, A the edges, B = A A and C = A A A, through node i go
//   t_i / 2;   (B_i B_i - d_i (d_i - 1) - A_i d) / 2;
//   (B_i C_i - 2 (A B)_i d - 2 d_i t_i - A_i t + 5 t_i) / 2,  (A B) element by element.
RingCounts count_rings(std::span<const double> edges, std::int64_t n) {
  const Matrix two = product(edges, edges, n), three = product(two, edges, n);
  RingCounts counts;
  double six = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = two[at(i * n + i)], t = three[at(i * n + i)];
    const double walks4 = row_product(two, two, i, n);
    double near_d = 0, near_t = 0, shared_d = 0, shared = 0, walks3 = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const double edge = edges[at(i * n + j)], both = edge * two[at(i * n + j)];
      near_d += edge * two[at(j * n + j)];
      near_t += edge * three[at(j * n + j)];
      shared_d += both * two[at(j * n + j)];
      shared += both * two[at(i * n + j)];
      walks3 += three[at(i * n + j)];
    }
    const double c3 = t / 2, c4 = (walks4 - d * (d - 1) - near_d) / 2;
    const double c5 =
        (row_product(two, three, i, n) - 2 * shared_d - 2 * d * t - near_t + 5 * t) / 2;
    counts.of_nodes.push_back({c3, c4, c5});
    counts.of_graph[0] += c3 / 3;
    counts.of_graph[1] += c4 / 4;
    counts.of_graph[2] += c5 / 5;
    six += row_product(three, three, i, n) - 3 * t * t + 9 * shared - 6 * d * walks4 + 6 * walks4 -
           4 * t + 4 * d * d * d + 3 * walks3 - 12 * d * d + 4 * d;
  }
  counts.of_graph[3] = six / 12;
  return counts;
}

Spectrum spectrum_of(std::span<const double> edges, std::int64_t n) {
  Matrix laplacian(at(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      laplacian[at(i * n + j)] -= edges[at(i * n + j)];
      laplacian[at(i * n + i)] += edges[at(i * n + j)];
    }
  const SymmetricEigen axes = symmetric_eigen(laplacian, n);
  Spectrum spectrum;
  std::int64_t zeros = 0;
  while (zeros < n && axes.values[at(zeros)] < zero) ++zeros;
  spectrum.pieces = static_cast<double>(zeros);
  spectrum.values.fill(2);
  for (std::int64_t k = 0; k < std::ssize(spectrum.values) && zeros + k < n; ++k)
    spectrum.values[at(k)] = axes.values[at(zeros + k)] / static_cast<double>(n);
  spectrum.vectors.resize(at(n));
  for (std::int64_t k = 0; k < 2 && zeros + k < n; ++k) {
    const std::span<const double> axis =
        std::span(axes.vectors).subspan(at((zeros + k) * n), at(n));
    double largest = 0;
    for (const double entry : axis)
      if (std::fabs(entry) > std::fabs(largest) + zero) largest = entry;
    for (std::int64_t i = 0; i < n; ++i)
      spectrum.vectors[at(i)][at(k)] = largest < 0 ? -axis[at(i)] : axis[at(i)];
  }
  return spectrum;
}

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
