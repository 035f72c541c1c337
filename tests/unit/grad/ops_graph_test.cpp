#include "libcore/grad/ops_graph.hpp"

#include "libcore/det/isa.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/graph_kernels.hpp"
#include "libcore/grad/ops_index.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace logpx::ops_graph_test {
namespace {

using In = std::vector<Var>;

gradcheck::Input mask(Shape shape, std::vector<double> values) {
  return {.shape = shape, .differentiable = false, .values = std::move(values)};
}
const gradcheck::Input second_empty = mask({2, 3}, {1, 0, 1, 0, 0, 0});

const std::vector<gradcheck::Case> cases = {
    {"edge scores",
     {{{2, 3, 4}}, {{2, 2, 4}}, {{2, 3, 2, 8}}},
     [](const In& in) {
       return edge_scores({in[0], in[1], in[2], 0.5});
     },
     {.linear_in = {0, 1}}},
    {"edge scores of one channel",
     {{{1, 3, 1}}, {{1, 3, 1}}, {{1, 3, 3, 2}}},
     [](const In& in) {
       return edge_scores({in[0], in[1], in[2], 2});
     }},
    {"edge attention",
     {{{2, 2, 3, 4}}, {{2, 3, 4}}, mask({2, 3}, {1, 1, 0, 0, 1, 1})},
     [](const In& in) { return edge_attention(in[0], in[1], in[2]); },
     {.linear_in = {1}}},
    {"edge attention with an empty row",
     {{{2, 2, 3, 3}}, {{2, 3, 3}}, second_empty},
     [](const In& in) { return edge_attention(in[0], in[1], in[2]); }},
    {"edge attention with an empty row, again",
     {{{2, 2, 3, 3}}, {{2, 3, 3}}, second_empty},
     [](const In& in) { return edge_attention(in[0], in[1], in[2], Probabilities::recomputed); }},
    {"modulate", {{{2, 3, 2, 5}}, {{2, 10}}}, [](const In& in) { return modulate(in[0], in[1]); }},
    {"modulate one row each",
     {{{3, 4}}, {{3, 8}}},
     [](const In& in) { return modulate(in[0], in[1]); },
     {.linear_in = {1}}},
    {"row statistics",
     {{{3, 4, 5}}, mask({3, 4}, {1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0})},
     [](const In& in) { return row_statistics(in[0], in[1]); }},
    {"pair means",
     {{{2, 4, 4, 3}}},
     [](const In& in) { return pair_means(in[0]); },
     {.linear_in = {0}}},
    {"pair means of one node",
     {{{2, 2, 2, 1}}},
     [](const In& in) { return pair_means(in[0]); },
     {.linear_in = {0}}},
};
const bool listed = gradcheck::list(cases);

std::vector<float> ramp(std::size_t n, float step) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = step * static_cast<float>(i % 11) - 1;
  return values;
}

// What the loops make of made-up numbers, one after the other.
std::vector<float> all_results(const GraphKernels<float>& kernels) {
  constexpr long n = 5, channels = 37, pairs = n * n * channels;
  const std::vector<float> q = ramp(n * channels, 0.13f), k = ramp(n * channels, 0.21f),
                           gates = ramp(2 * pairs, 0.07f), up = ramp(pairs, 0.11f),
                           shown = {1, 1, 0, 1, 1};
  struct Results {
    std::vector<float> scores = std::vector<float>(pairs), p = scores, dgates = {}, dq, dk, out, y;
  };
  Results r;
  r.dgates.resize(2 * pairs);
  r.dq.resize(n * channels);
  r.dk = r.out = r.dq;
  r.y.resize(4 * channels);
  EdgeScoreCall<float> scores{};
  scores.queries = scores.keys = n;
  scores.channels = channels;
  scores.q = q.data();
  scores.k = k.data();
  scores.gates = gates.data();
  scores.scale = 0.3f;
  scores.scores = r.scores.data();
  scores.upstream = up.data();
  scores.dq = {r.dq.data(), channels};
  scores.dk = {r.dk.data(), channels};
  scores.dgates = {r.dgates.data(), 2 * channels};
  kernels.edge_scores(scores);
  kernels.edge_score_slopes(scores);
  std::vector<float> row(channels);
  KeyShiftCall<float> shift{n, n, channels, r.scores.data(), shown.data(), r.p.data(), row.data()};
  kernels.shift_by_largest(shift);
  for (float& p : r.p) p = p < -50 ? 0 : 1 + p / 50;  // what e^p is, the kernels do not know
  KeyMeanCall<float> mean{};
  mean.queries = mean.keys = n;
  mean.channels = channels;
  mean.p = r.p.data();
  mean.v = k.data();
  mean.out = r.out.data();
  mean.sums = row.data();
  kernels.mean_of_keys(mean);
  RowStatisticsCall<float> rows{};
  rows.rows = n;
  rows.channels = channels;
  rows.x = q.data();
  rows.mask = shown.data();
  rows.floor = 1e-5f;
  rows.y = r.y.data();
  kernels.row_statistics(rows);
  std::vector<float> all;
  for (const auto* part : {&r.scores, &r.p, &r.dgates, &r.dq, &r.dk, &r.out, &r.y})
    all.insert(all.end(), part->begin(), part->end());
  return all;
}

}  // namespace

TEST_CASE("graph ops: backward equals central differences") {
  for (const gradcheck::Case& item : cases) gradcheck::run(item);
}

TEST_CASE("graph ops: a query whose scores are all -inf gives zeros and passes no gradient") {
  const float nothing = -std::numeric_limits<float>::infinity();
  for (const Probabilities kept : {Probabilities::saved, Probabilities::recomputed}) {
    Graph graph;
    const Var scores = graph.input("scores", {1, 2, 3, 2}), v = graph.input("v", {1, 3, 2});
    graph.output("y", edge_attention(scores, v, graph.input("mask", {1, 3}), kept));
    Executor<float> run(graph, {.from = "y", .inputs = {"scores", "v"}});
    std::vector<float> at_scores = ramp(12, 0.2f);
    for (const std::size_t key : {0u, 1u, 2u}) at_scores[2 * key] = nothing;  // channel 0, query 0
    const std::vector<float> at_v = ramp(6, 0.5f), shown = {1, 1, 1};
    run.bind("scores", at_scores);
    run.bind("v", at_v);
    run.bind("mask", shown);
    run.forward();
    run.backward();
    CHECK(run.output("y")[0] == 0);
    CHECK(run.output("y")[1] != 0);
    for (const std::int64_t key : {0, 1, 2}) CHECK(run.gradient("scores")[2 * key] == 0);
    for (const float g : run.gradient("v").span()) CHECK(std::isfinite(g));
  }
}

TEST_CASE("graph ops: with one channel, scores and their attention are plain attention") {
  Graph graph(Precision::f64);
  const Var q = graph.input("q", {2, 3, 1}), k = graph.input("k", {2, 3, 1}),
            v = graph.input("v", {2, 3, 1}), shown = graph.input("mask", {2, 3});
  graph.output("whole", attention(q, k, v, shown));
  graph.output("parts",
               edge_attention(edge_scores({q, k, graph.input("none", {2, 3, 3, 2})}), v, shown));
  Executor<double> run(graph, {});
  const std::vector<double> a = {0.3, -1, 2, 0.5, 1.5, -0.2}, b = {1, 2, -1, 0.4, 0.1, 3},
                            c = {5, -2, 1, 4, 4.5, -3}, kept = {1, 0, 1, 1, 1, 1}, none(36);
  run.bind("q", a);
  run.bind("k", b);
  run.bind("v", c);
  run.bind("mask", kept);
  run.bind("none", none);
  run.forward();
  for (std::int64_t i = 0; i < 6; ++i)
    CHECK(run.output("parts")[i] == doctest::Approx(run.output("whole")[i]).epsilon(1e-13));
}

TEST_CASE("graph ops: statistics look at the rows that are shown, and give zeros where none is") {
  Graph graph(Precision::f64);
  graph.output("y", row_statistics(graph.input("x", {2, 3, 1}), graph.input("mask", {2, 3})));
  Executor<double> run(graph, {.from = "y", .inputs = {"x"}});
  const std::vector<double> values = {-1, 100, -4, 7, 8, 9}, kept = {1, 0, 1, 0, 0, 0};
  run.bind("x", values);
  run.bind("mask", kept);
  run.forward();
  run.backward();
  const double expected[] = {-2.5, -4, -1, std::sqrt(2.25 + 1e-5), 0, 0, 0, 0};
  for (std::int64_t i = 0; i < 8; ++i)
    CHECK(run.output("y")[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  for (const std::int64_t hidden : {1, 3, 4, 5}) CHECK(run.gradient("x")[hidden] == 0);
}

TEST_CASE("graph ops: the first of equal rows gets the gradient of an extreme") {
  Graph graph(Precision::f64);
  const Var y = row_statistics(graph.input("x", {1, 3, 1}), graph.input("mask", {1, 3}));
  graph.output("least", slice(y, 1, 1, 2));
  Executor<double> run(graph, {.from = "least", .inputs = {"x"}});
  const std::vector<double> values = {2, -1, -1}, kept = {1, 1, 1};
  run.bind("x", values);
  run.bind("mask", kept);
  run.forward();
  run.backward();
  const std::vector<double> expected = {0, 1, 0};
  for (std::int64_t i = 0; i < 3; ++i) CHECK(run.gradient("x")[i] == expected[std::size_t(i)]);
}

TEST_CASE("graph ops: every instruction set gives the same bits") {
  const std::vector<float> expected = all_results(graph_kernels_of(Isa::baseline).of_floats);
  for (const float value : expected) CHECK(std::isfinite(value));
  for (const Isa isa : {Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    const std::vector<float> computed = all_results(graph_kernels_of(isa).of_floats);
    CHECK(std::memcmp(computed.data(), expected.data(), expected.size() * sizeof(float)) == 0);
  }
}

}  // namespace logpx::ops_graph_test
