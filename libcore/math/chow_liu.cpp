#include "libcore/math/chow_liu.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace logpx {

namespace {

// The connected part to which a variable belongs so far.
class Parts {
 public:
  explicit Parts(std::int64_t variables) : above_(at(variables)) {
    std::iota(above_.begin(), above_.end(), 0);
  }
  // False if both are in one part already.
  bool join(std::int64_t a, std::int64_t b) {
    a = top(a);
    b = top(b);
    above_[at(std::max(a, b))] = std::min(a, b);
    return a != b;
  }

 private:
  std::int64_t top(std::int64_t v) {
    while (above_[at(v)] != v) v = above_[at(v)] = above_[at(above_[at(v)])];
    return v;
  }
  std::vector<std::int64_t> above_;
};

using Edge = SpanningTree::Edge;
using Neighbours = std::vector<std::vector<std::int64_t>>;

std::vector<Edge> heaviest_edges(std::span<const double> weights, std::int64_t variables) {
  std::vector<Edge> all;
  all.reserve(at(variables * (variables - 1) / 2));
  for (std::int64_t i = 0; i < variables; ++i)
    for (std::int64_t j = i + 1; j < variables; ++j) all.push_back({i, j});
  const auto weight = [&](const Edge& edge) {
    return weights[at(edge.first * variables + edge.second)];
  };
  std::sort(all.begin(), all.end(), [&](const Edge& a, const Edge& b) {
    return std::tuple(-weight(a), a) < std::tuple(-weight(b), b);
  });
  Parts parts(variables);
  std::vector<Edge> taken;
  for (const Edge& edge : all)
    if (parts.join(edge.first, edge.second)) taken.push_back(edge);
  std::sort(taken.begin(), taken.end());
  return taken;
}

struct Walk {
  std::vector<std::int64_t> order, parent;
  std::int64_t depth = 0;
};

Walk walk_from(std::int64_t root, const Neighbours& neighbours) {
  Walk walk{{root}, std::vector<std::int64_t>(neighbours.size(), -1)};
  std::vector<std::int64_t> level(neighbours.size());
  for (std::size_t next = 0; next < walk.order.size(); ++next) {
    const std::int64_t v = walk.order[next];
    walk.depth = level[at(v)];
    for (const std::int64_t child : neighbours[at(v)]) {
      if (child == walk.parent[at(v)]) continue;
      walk.parent[at(child)] = v;
      level[at(child)] = level[at(v)] + 1;
      walk.order.push_back(child);
    }
  }
  return walk;
}

}  // namespace

SpanningTree chow_liu_tree(std::span<const double> weights, std::int64_t variables,
                           std::optional<std::int64_t> root) {
  LOGPX_ASSERT(variables >= 1 && std::ssize(weights) == variables * variables);
  LOGPX_ASSERT(!root || (*root >= 0 && *root < variables));
  SpanningTree tree;
  tree.edges = heaviest_edges(weights, variables);
  Neighbours neighbours(at(variables));
  for (const Edge& edge : tree.edges) {
    tree.weight += weights[at(edge.first * variables + edge.second)];
    neighbours[at(edge.first)].push_back(edge.second);
    neighbours[at(edge.second)].push_back(edge.first);
  }
  for (auto& list : neighbours) std::sort(list.begin(), list.end());
  for (std::int64_t v = 0; v < variables; ++v)
    tree.eccentricity.push_back(walk_from(v, neighbours).depth);
  const auto middle = std::min_element(tree.eccentricity.begin(), tree.eccentricity.end());
  tree.root = root.value_or(middle - tree.eccentricity.begin());
  Walk walk = walk_from(tree.root, neighbours);
  tree.order = std::move(walk.order);
  tree.parent = std::move(walk.parent);
  return tree;
}

}  // namespace logpx
