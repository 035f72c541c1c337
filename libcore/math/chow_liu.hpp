// The tree that joins variables with high mutual information [Chow and Liu; pc/README 4.2]: a
// maximum spanning tree, a root in its middle, and the order in which a circuit walks it. Ties are
// broken by number, so the tree is a function of the weights.
//
//   const SpanningTree tree = chow_liu_tree(nats, 784);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

struct SpanningTree {
  struct Edge {
    std::int64_t first = 0, second = 0;  // first < second
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  std::vector<Edge> edges;  // ascending
  std::int64_t root = 0;
  std::vector<std::int64_t> parent;        // -1 for the root
  std::vector<std::int64_t> order;         // from the root, level by level, neighbours ascending
  std::vector<std::int64_t> eccentricity;  // steps to the farthest variable
  double weight = 0;                       // of all edges
};

// weights [D, D], symmetric; edges are taken by (-weight, i, j) where they close no cycle. The root
// is the first variable of least eccentricity, unless it is given.
[[nodiscard]] SpanningTree chow_liu_tree(std::span<const double> weights, std::int64_t variables,
                                         std::optional<std::int64_t> root = {});

}  // namespace logpx
