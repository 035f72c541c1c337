#include "libcore/nn/graph_net.hpp"

#include "libcore/det/draws.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/nn/graph_features.hpp"
#include "tests/support/graph_states.hpp"
#include "tests/support/layer_check.hpp"
#include "tests/support/layer_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace logpx::graph_net_test {
namespace {

GraphNetOptions small_options(GraphCounts counts = GraphCounts::none) {
  GraphNetOptions options{.node_values = 3,
                          .edge_values = 4,
                          .most_nodes = 6,
                          .layers = 2,
                          .heads = 2,
                          .width = {6, 4, 3},
                          .feed_forward = {5, 4, 7},
                          .hidden = {5, 4, 3},
                          .policies = 2,
                          .features = {.counts = counts}};
  if (counts != GraphCounts::none)
    options.features = {.counts = counts, .valences = {4, 3, 2}, .weights = {12, 14, 16}};
  return options;
}

// A net whose tensors are all drawn.
struct DrawnNet {
  explicit DrawnNet(const GraphNetOptions& o) : options(o), net(model.site / "net", o) {
    std::vector<float> values(at(model.params.block_size()));
    fill_normals(Substream(3, Stream::test, 0), 0, values);
    for (const float value : values) block.push_back(0.4 * static_cast<double>(value));
  }
  [[nodiscard]] GraphNumbers operator()(const GraphStateValues& state) const {
    return graph_numbers<double>(net, model.params, block, state);
  }
  GraphNetOptions options;
  LayerModel model;
  GraphNet net;
  std::vector<double> block;
};

double worst_gap(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::fabs(a[i] - b[i]));
  return worst;
}

// Graph `from` of `all` with its nodes in this order, filled up to so many nodes.
GraphStateValues moved(const GraphStateValues& all, std::int64_t from,
                       const std::vector<std::int64_t>& order, std::int64_t nodes) {
  GraphStateValues one(1, nodes);
  const auto pair = [](std::int64_t n, std::int64_t i, std::int64_t j) {
    return pair_number(n, std::min(i, j), std::max(i, j));
  };
  for (std::int64_t i = 0; i < std::ssize(order); ++i) {
    const std::size_t place = at(from * all.nodes + order[at(i)]);
    one.exists[at(i)] = all.exists[place];
    one.node_values[at(i)] = all.node_values[place];
    one.nodes_shown[at(i)] = all.nodes_shown[place];
    for (std::int64_t j = i + 1; j < std::ssize(order); ++j) {
      const std::size_t theirs =
          at(from * pairs_of(all.nodes) + pair(all.nodes, order[at(i)], order[at(j)]));
      const std::size_t ours = at(pair_number(nodes, i, j));
      one.pair_values[ours] = all.pair_values[theirs];
      one.pairs_shown[ours] = all.pairs_shown[theirs];
    }
  }
  return one;
}

constexpr std::array<std::int64_t, 4> sizes{5, 1, 2, 4};

GraphStateValues drawn_states(const GraphNetOptions& options) {
  Cursor cursor(Substream(4, Stream::test, 0));
  GraphStateValues states(std::ssize(sizes), 5);
  for (std::size_t b = 0; b < sizes.size(); ++b)
    states.draw(static_cast<std::int64_t>(b), sizes[b], options, cursor);
  return states;
}

// The numbers of one variable in the list of all.
std::span<const double> part(const std::vector<double>& numbers, std::int64_t index,
                             std::int64_t width) {
  return std::span(numbers).subspan(at(index * width), at(width));
}

double gap(std::span<const double> a, std::span<const double> b) {
  return worst_gap({a.begin(), a.end()}, {b.begin(), b.end()});
}

// All rings of `length` nodes, and how many go through each node, by trying all paths.
struct TriedRings {
  std::vector<double> of_nodes;
  double all = 0;
};
TriedRings try_rings(const std::vector<double>& edges, std::int64_t n, std::int64_t length) {
  TriedRings rings{.of_nodes = std::vector<double>(at(n))};
  std::vector<std::int64_t> path;
  const auto go_on = [&](auto& self) -> void {
    if (std::ssize(path) == length) {
      if (edges[at(path.back() * n + path.front())] == 0 || path[1] > path.back()) return;
      ++rings.all;
      for (const std::int64_t node : path) ++rings.of_nodes[at(node)];
      return;
    }
    for (std::int64_t next = path.front() + 1; next < n; ++next) {
      if (edges[at(path.back() * n + next)] == 0 || std::ranges::count(path, next) > 0) continue;
      path.push_back(next);
      self(self);
      path.pop_back();
    }
  };
  for (std::int64_t first = 0; first < n; ++first) {
    path = {first};
    go_on(go_on);
  }
  return rings;
}

std::vector<double> drawn_edges(std::int64_t n, double share, Cursor& cursor) {
  std::vector<double> edges(at(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < i; ++j)
      edges[at(i * n + j)] = edges[at(j * n + i)] = cursor.uniform() < share;
  return edges;
}

}  // namespace

TEST_CASE("nn: a graph net says nothing of its graphs that depends on what they are filled up to") {
  for (const GraphCounts counts : {GraphCounts::none, GraphCounts::cycles, GraphCounts::all}) {
    const DrawnNet net(small_options(counts));
    const GraphStateValues all = drawn_states(net.options);
    const GraphNumbers together = net(all);
    for (std::int64_t b = 0; b < all.graphs; ++b) {
      const std::int64_t n = sizes[at(b)], room = std::max<std::int64_t>(n, 2);
      std::vector<std::int64_t> order(at(n));
      std::iota(order.begin(), order.end(), 0);
      const GraphNumbers alone = net(moved(all, b, order, room));
      for (std::int64_t i = 0; i < n; ++i) {
        CHECK(gap(part(alone.nodes, i, 5), part(together.nodes, b * 5 + i, 5)) < 1e-12);
        for (std::int64_t j = i + 1; j < n; ++j)
          CHECK(gap(part(alone.pairs, pair_number(room, i, j), 6),
                    part(together.pairs, b * pairs_of(5) + pair_number(5, i, j), 6)) < 1e-12);
      }
    }
  }
}

TEST_CASE("nn: a graph net's numbers go with the nodes when these change places") {
  const DrawnNet net(small_options(GraphCounts::cycles));
  const GraphStateValues all = drawn_states(net.options);
  const std::vector<std::int64_t> same = {0, 1, 2, 3, 4}, order = {3, 0, 4, 2, 1};
  const GraphNumbers before = net(moved(all, 0, same, 5)), after = net(moved(all, 0, order, 5));
  for (std::int64_t i = 0; i < 5; ++i) {
    const std::int64_t from = order[at(i)];
    CHECK(gap(part(after.nodes, i, 5), part(before.nodes, from, 5)) < 1e-12);
    for (std::int64_t j = i + 1; j < 5; ++j) {
      const std::int64_t other = order[at(j)],
                         pair = pair_number(5, std::min(from, other), std::max(from, other));
      CHECK(gap(part(after.pairs, pair_number(5, i, j), 6), part(before.pairs, pair, 6)) < 1e-12);
    }
  }
}

// Attention averages over nodes, and the average of what is alike says nothing of the edges.
TEST_CASE("nn: a graph net without features sees no neighbours while no node is shown") {
  for (const GraphCounts counts : {GraphCounts::none, GraphCounts::cycles}) {
    const DrawnNet net(small_options(counts));
    GraphStateValues state(1, 5);
    std::ranges::fill(state.exists, 1.0);
    std::ranges::fill(state.pairs_shown, 1.0);
    const std::int64_t near = pair_number(5, 0, 3), far = pair_number(5, 3, 4);
    for (const std::int64_t hidden : {near, far}) state.pairs_shown[at(hidden)] = 0;
    for (const std::int64_t other : {1, 2}) state.pair_values[at(pair_number(5, 0, other))] = 1;
    const GraphNumbers numbers = net(state);
    const double nodes = gap(part(numbers.nodes, 0, 5), part(numbers.nodes, 4, 5)),
                 pairs = gap(part(numbers.pairs, near, 6), part(numbers.pairs, far, 6));
    const bool alike = nodes < 1e-12 && pairs<1e-12, different = nodes> 1e-6 && pairs > 1e-6;
    CHECK((counts == GraphCounts::none ? alike : different));
  }
}

TEST_CASE("nn: what is hidden from a graph net changes nothing") {
  for (const GraphCounts counts : {GraphCounts::none, GraphCounts::all}) {
    const DrawnNet net(small_options(counts));
    GraphStateValues state = drawn_states(net.options);
    const GraphNumbers before = net(state);
    for (std::size_t i = 0; i < state.node_values.size(); ++i)
      if (state.nodes_shown[i] == 0) state.node_values[i] = (state.node_values[i] + 1) % 3;
    for (std::size_t i = 0; i < state.pair_values.size(); ++i)
      if (state.pairs_shown[i] == 0) state.pair_values[i] = (state.pair_values[i] + 1) % 4;
    const GraphNumbers after = net(state);
    CHECK(before.nodes == after.nodes);
    CHECK(before.pairs == after.pairs);
  }
}

TEST_CASE("nn: a graph net gives repeatable numbers near the fast ones") {
  const DrawnNet net(small_options(GraphCounts::cycles));
  const std::vector<float> block(net.block.begin(), net.block.end());
  const GraphStateValues state = drawn_states(net.options);
  const auto numbers = [&](const Numerics& numerics) {
    return graph_numbers<float>(net.net, net.model.params, block, state, numerics);
  };
  const GraphNumbers fast = numbers({}), repeatable = numbers(repeatable_numerics);
  const std::int64_t first = sizes[0];  // all of graph 0 exists
  CHECK(gap(std::span(fast.nodes).first(at(5 * first)),
            std::span(repeatable.nodes).first(at(5 * first))) < 1e-4);
  CHECK(gap(std::span(fast.pairs).first(at(6 * pairs_of(first))),
            std::span(repeatable.pairs).first(at(6 * pairs_of(first)))) < 1e-4);
  CHECK(numbers(repeatable_numerics).nodes == repeatable.nodes);
}

TEST_CASE("nn: recomputing the layers of a graph net needs less memory") {
  LayerModel model;
  GraphNetOptions options = small_options();
  options.layers = 6;
  const GraphNet net(model.site, options);
  Graph graph;
  graph.output("y", sum(square(*net(model.params, graph_state(graph, 4, 6)).pair_logits)));
  const PlanRequest keep{.from = "y", .parameters = true},
      again{.from = "y", .parameters = true, .recompute = true};
  CHECK(make_plan(graph, again).arena_elements < make_plan(graph, keep).arena_elements);
}

TEST_CASE("nn: gradients of a graph net equal central differences") {
  LayerModel model;
  GraphNetOptions options = small_options(GraphCounts::cycles);
  const GraphNet net(model.site / "net", options);
  Cursor cursor(Substream(5, Stream::test, 0));
  GraphStateValues state(2, 3);
  state.draw(0, 3, options, cursor);
  state.draw(1, 2, options, cursor);
  const auto reals = [](const std::vector<std::int32_t>& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  const std::vector<double> at_pairs(12, 1);
  CHECK(layer_check::trouble(
            model.params,
            [&](Graph& graph) {
              const GraphState s = graph_state(graph, 2, 3);
              const GraphAnswer answer = net(model.params, s);
              // Graph 1 has no third node, and no pairs with it.
              const Var nodes = concat({*answer.node_logits, *answer.node_policy}, -1);
              const Var pairs = concat({*answer.pair_logits, *answer.pair_policy}, -1);
              return concat({nodes.rows(0, 1).reshape({15}), pairs.rows(0, 1).reshape({18}),
                             slice(nodes.rows(1, 2).reshape({15}), 0, 0, 10),
                             slice(pairs.rows(1, 2).reshape({18}), 0, 0, 6)},
                            0);
            },
            {{"node_values", reals(state.node_values)},
             {"pair_values", reals(state.pair_values)},
             {"exists", state.exists},
             {"nodes_shown", state.nodes_shown},
             {"pairs_shown", state.pairs_shown}}) == "");
}

TEST_CASE("nn: a graph net's policies start at zero, and one that only orders has no logits") {
  LayerModel model;
  GraphNetOptions options = small_options();
  const GraphNet net(model.site / "net", options);
  options.logits = GraphNetOptions::Logits::without;
  const GraphNet order(model.site / "order", options);
  model.start();
  const GraphNumbers numbers =
      graph_numbers<float>(net, model.params, model.params.block(), drawn_states(options));
  for (std::size_t i = 0; i < numbers.nodes.size(); ++i)
    if (i % 5 >= 3) CHECK(numbers.nodes[i] == 0);
  CHECK(std::ranges::any_of(numbers.nodes, [](double x) { return x != 0; }));

  CHECK(model.params.find("net/out/nodes/logits/w") >= 0);
  CHECK(model.params.find("order/out/nodes/logits/w") == -1);
  CHECK(model.params.find("order/layer0/globals/own/w") >= 0);
  CHECK(model.params.find("order/layer1/globals/own/w") == -1);
}

TEST_CASE("nn: rings are counted as trying all paths counts them") {
  Cursor cursor(Substream(6, Stream::test, 0));
  for (int i = 0; i < 40; ++i) {
    const std::int64_t n = 1 + i % 8;
    const std::vector<double> edges = drawn_edges(n, 0.2 + 0.1 * (i % 8), cursor);
    const RingCounts counts = count_rings(edges, n);
    for (std::int64_t length = 3; length <= 6; ++length) {
      const TriedRings tried = try_rings(edges, n, length);
      CHECK(counts.of_graph[at(length - 3)] == doctest::Approx(tried.all).epsilon(1e-12));
      if (length < 6)
        for (std::int64_t node = 0; node < n; ++node)
          CHECK(counts.of_nodes[at(node)][at(length - 3)] == tried.of_nodes[at(node)]);
    }
  }
}

TEST_CASE("nn: the spectrum of a graph counts its pieces") {
  // A path of three nodes, whose Laplacian has 0, 1, 3, and one node alone.
  std::vector<double> edges(16);
  for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 2)})
    edges[at(i * 4 + j)] = edges[at(j * 4 + i)] = 1;
  const Spectrum spectrum = spectrum_of(edges, 4);
  CHECK(spectrum.pieces == 2);
  CHECK(spectrum.values[0] == doctest::Approx(0.25));
  CHECK(spectrum.values[1] == doctest::Approx(0.75));
  for (std::size_t k = 2; k < 5; ++k) CHECK(spectrum.values[k] == 2);
  CHECK(spectrum.vectors[0][0] == doctest::Approx(std::sqrt(0.5)));
  CHECK(spectrum.vectors[2][0] == doctest::Approx(-std::sqrt(0.5)));
  CHECK(spectrum.vectors[1][1] == doctest::Approx(std::sqrt(2.0 / 3)));
}

}  // namespace logpx::graph_net_test
