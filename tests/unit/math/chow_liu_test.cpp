#include "libcore/math/chow_liu.hpp"

#include "libcore/base/index.hpp"

#include <doctest/doctest.h>

namespace logpx::chow_liu_test {
namespace {

using Numbers = std::vector<std::int64_t>;

std::vector<double> weights_of(std::int64_t variables, const std::vector<std::vector<int>>& edges) {
  std::vector<double> weights(at(variables * variables));
  for (const auto& edge : edges)
    weights[at(edge[0] * variables + edge[1])] = weights[at(edge[1] * variables + edge[0])] =
        edge[2];
  return weights;
}

}  // namespace

TEST_CASE("chow_liu: the heaviest edges that close no circle, from a root in the middle") {
  // A path 3 - 0 - 4 - 1 - 2, and lighter edges that would close it.
  const auto weights =
      weights_of(5, {{0, 3, 9}, {0, 4, 8}, {1, 4, 7}, {1, 2, 6}, {2, 3, 5}, {0, 1, 4}});
  const SpanningTree tree = chow_liu_tree(weights, 5);
  CHECK(tree.weight == 30);
  CHECK(tree.root == 4);
  CHECK(tree.eccentricity == Numbers{3, 3, 4, 4, 2});
  CHECK(tree.parent == Numbers{4, 4, 1, 0, -1});
  CHECK(tree.order == Numbers{4, 0, 1, 3, 2});
  const SpanningTree other = chow_liu_tree(weights, 5, 3);
  CHECK(other.edges == tree.edges);
  CHECK(other.order == Numbers{3, 0, 4, 1, 2});
}

TEST_CASE("chow_liu: of equal edges the first is taken, and of equal roots the first") {
  const SpanningTree tree = chow_liu_tree(std::vector<double>(16, 0.0), 4);
  const std::vector<SpanningTree::Edge> star = {{0, 1}, {0, 2}, {0, 3}};
  CHECK(tree.edges == star);
  CHECK(tree.root == 0);
  const SpanningTree pair = chow_liu_tree(std::vector<double>(4, 1.0), 2);
  CHECK(pair.root == 0);
  CHECK(pair.eccentricity == Numbers{1, 1});
}

TEST_CASE("chow_liu: a single variable is a tree") {
  const SpanningTree tree = chow_liu_tree(std::vector<double>(1), 1);
  CHECK(tree.edges.empty());
  CHECK(tree.order == Numbers{0});
  CHECK(tree.parent == Numbers{-1});
}

}  // namespace logpx::chow_liu_test
