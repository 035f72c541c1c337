// Counts on the shown part of a graph that a net would find hard to make: rings, valences, pieces,
// and the lowest eigenvalues.   [arm/README 8.4]
#pragma once

#include "libcore/grad/graph.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// Rings and pieces of a small graph, from products of its adjacency matrix.   [arm/README 8.4]

// edges [n,n]: symmetric, 1 or 0, with a zero diagonal.
struct RingCounts {
  std::vector<std::array<double, 3>> of_nodes;  // [n]: rings of 3, 4, 5 nodes that go through each
  std::array<double, 4> of_graph{};             // rings of 3 to 6 nodes
};
[[nodiscard]] RingCounts count_rings(std::span<const double> edges, std::int64_t n);

struct Spectrum {
  double pieces = 0;                           // eigenvalues that are 0
  std::array<double, 5> values{};              // the lowest others over n; 2 where there are none
  std::vector<std::array<double, 2>> vectors;  // [n]: of the lowest two; their largest entry > 0
};
// The spectrum of the Laplacian.
[[nodiscard]] Spectrum spectrum_of(std::span<const double> edges, std::int64_t n);

// cycles: the rings of 3, 4, 5 nodes through each node and those of 3 to 6 nodes in the graph, a
// tenth of each count, at most 1. all: also its number of pieces, its five lowest eigenvalues above
// 0 over n, and two eigenvectors, which depend on the order of the nodes where eigenvalues are
// equal.
enum class GraphCounts { none, cycles, all };

struct GraphFeatures {
  GraphCounts counts = GraphCounts::none;
  // Where edges are bonds whose values are their orders: normal valence and weight of each kind of
  // node. They add the valence that is used, what is left of the normal one, and the weight of
  // what is shown.
  std::vector<double> valences = {}, weights = {};

  [[nodiscard]] std::int64_t per_node() const;
  [[nodiscard]] std::int64_t per_graph() const;
};

struct GraphFeatureInputs {
  Var node_values, pair_values;          // indices, [B,n] and [B,n(n-1)/2]
  Var exists, nodes_shown, pairs_shown;  // masks
};
// Features of the nodes [B,n,per_node] and of the graphs [B,per_graph]. An edge is a pair that is
// shown and not 0. `most_weight`: what weights are divided by. No gradient flows.
struct GraphFeatureValues {
  Var nodes, globals;
};
[[nodiscard]] GraphFeatureValues graph_features(const GraphFeatures& features, double most_weight,
                                                const GraphFeatureInputs& in);

}  // namespace logpx
