#include "libcore/grad/ops_attention.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::ops_attention_test {
namespace {

using In = std::vector<Var>;

gradcheck::Input mask(Shape shape, std::vector<double> values) {
  return {.shape = shape, .differentiable = false, .values = std::move(values)};
}
const gradcheck::Input second_row_empty = mask({2, 3}, {1, 0, 1, 0, 0, 0});

const std::vector<gradcheck::Case> cases = {
    {"attention",
     {{{2, 3, 4}}, {{2, 5, 4}}, {{2, 5, 6}}},
     [](const In& in) { return attention(in[0], in[1], in[2], {.heads = 2}); },
     {.linear_in = {2}}},
    {"attention of one query and key",
     {{{1, 1, 3}}, {{1, 1, 3}}, {{1, 1, 3}}},
     [](const In& in) { return attention(in[0], in[1], in[2]); }},
    {"attention, probabilities again, 17 keys",
     {{{2, 2, 3}}, {{2, 17, 3}}, {{2, 17, 3}}},
     [](const In& in) {
       return attention(in[0], in[1], in[2], {3, Probabilities::recomputed});
     }},
    {"attention with an empty row",
     {{{2, 2, 4}}, {{2, 3, 4}}, {{2, 3, 4}}, second_row_empty},
     [](const In& in) { return attention(in[0], in[1], in[2], in[3], {.heads = 2}); }},
    {"attention with an empty row, again",
     {{{2, 2, 4}}, {{2, 3, 4}}, {{2, 3, 4}}, second_row_empty},
     [](const In& in) {
       return attention(in[0], in[1], in[2], in[3], {2, Probabilities::recomputed});
     }},
    {"edge scores",
     {{{2, 3, 4}}, {{2, 2, 4}}, {{2, 3, 2, 2}}, {{2, 3, 2, 2}}},
     [](const In& in) {
       return edge_scores({in[0], in[1], in[2], in[3], 2, 0.5});
     },
     {.linear_in = {0, 1, 3}}},
    {"edge scores per channel",
     {{{1, 3, 5}}, {{1, 3, 5}}, {{1, 3, 3, 5}}, {{1, 3, 3, 5}}},
     [](const In& in) {
       return edge_scores({in[0], in[1], in[2], in[3], 5, 2});
     }},
    {"edge attention",
     {{{2, 2, 3, 2}}, {{2, 3, 4}}, mask({2, 3}, {1, 1, 0, 0, 1, 1})},
     [](const In& in) { return edge_attention(in[0], in[1], in[2]); },
     {.linear_in = {1}}},
    {"edge attention with an empty row, again",
     {{{2, 2, 3, 3}}, {{2, 3, 3}}, second_row_empty},
     [](const In& in) { return edge_attention(in[0], in[1], in[2], Probabilities::recomputed); }},
};
const bool listed = gradcheck::list(cases);

std::vector<float> ramp(std::size_t n, float step) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = step * static_cast<float>(i % 11) - 1;
  return values;
}

}  // namespace

TEST_CASE("attention ops: backward equals central differences") {
  for (const gradcheck::Case& item : cases) gradcheck::run(item);
}

TEST_CASE("attention ops: a query without keys gives zeros and passes no gradient") {
  for (const Probabilities kept : {Probabilities::saved, Probabilities::recomputed}) {
    Graph graph;
    const Var q = graph.input("q", {2, 2, 4}), k = graph.input("k", {2, 3, 4}),
              v = graph.input("v", {2, 3, 4});
    graph.output("y", attention(q, k, v, graph.input("mask", {2, 3}), {2, kept}));
    Executor<float> run(graph, {.from = "y", .inputs = {"q", "k", "v"}});
    const std::vector<float> at_q = ramp(16, 0.2f), at_k = ramp(24, 0.3f), at_v = ramp(24, 0.5f),
                             mask_values = {1, 1, 1, 0, 0, 0};
    run.bind("q", at_q);
    run.bind("k", at_k);
    run.bind("v", at_v);
    run.bind("mask", mask_values);
    run.forward();
    run.backward();
    const auto second = [&](View<const float> view) {
      return view.span().last(view.span().size() / 2);
    };
    const auto all_zero = [](std::span<const float> s) {
      return std::all_of(s.begin(), s.end(), [](float x) { return x == 0; });
    };
    CHECK(all_zero(second(run.output("y"))));
    for (const char* input : {"q", "k", "v"}) CHECK(all_zero(second(run.gradient(input))));
    CHECK_FALSE(all_zero(run.gradient("v").span()));
  }
}

TEST_CASE("attention ops: a query whose scores are all -inf gives zeros and passes no gradient") {
  const float nothing = -std::numeric_limits<float>::infinity();
  Graph graph;
  const Var scores = graph.input("scores", {1, 2, 3, 2}), v = graph.input("v", {1, 3, 4});
  graph.output("y", edge_attention(scores, v, graph.input("mask", {1, 3})));
  Executor<float> run(graph, {.from = "y", .inputs = {"scores", "v"}});
  std::vector<float> at_scores = ramp(12, 0.2f);
  for (const std::size_t key : {0u, 1u, 2u}) at_scores[2 * key] = nothing;  // head 0 of query 0
  const std::vector<float> at_v = ramp(12, 0.5f), shown = {1, 1, 1};
  run.bind("scores", at_scores);
  run.bind("v", at_v);
  run.bind("mask", shown);
  run.forward();
  run.backward();
  CHECK(run.output("y")[0] == 0);
  CHECK(run.output("y")[1] == 0);
  CHECK(run.output("y")[2] != 0);
  for (const std::int64_t key : {0, 1, 2}) CHECK(run.gradient("scores")[2 * key] == 0);
  for (const float g : run.gradient("v").span()) CHECK(std::isfinite(g));

  Graph whole;
  const Var q = whole.input("q", {1, 2, 1}), k = whole.input("k", {1, 3, 1});
  whole.output("y", attention(q, k, whole.input("v", {1, 3, 4})));
  Executor<float> attend(whole, {});
  const std::vector<float> at_q = {nothing, 1}, at_k = {1, 2, 3};
  attend.bind("q", at_q);
  attend.bind("k", at_k);
  attend.bind("v", at_v);
  attend.forward();
  for (std::int64_t i = 0; i < 4; ++i) CHECK(attend.output("y")[i] == 0);
  for (std::int64_t i = 4; i < 8; ++i) CHECK(std::isfinite(attend.output("y")[i]));
}

TEST_CASE("attention ops: edge scores and edge attention together are attention") {
  Graph graph(Precision::f64);
  const Var q = graph.input("q", {2, 3, 4}), k = graph.input("k", {2, 3, 4}),
            v = graph.input("v", {2, 3, 4}), mask_input = graph.input("mask", {2, 3}),
            zeros = graph.input("zeros", {2, 3, 3, 2});
  graph.output("whole", attention(q, k, v, mask_input, {.heads = 2}));
  const Var scores = edge_scores({q, k, zeros, zeros, 2, 1 / std::sqrt(2.0)});
  graph.output("parts", edge_attention(scores, v, mask_input));
  Executor<double> run(graph, {});
  std::vector<double> a(24), b(24), c(24);
  std::iota(a.begin(), a.end(), -10.0);
  for (std::size_t i = 0; i < 24; ++i) {
    a[i] /= 10;
    b[i] = static_cast<double>(i * 7 % 5) - 2;
    c[i] = static_cast<double>(i * 3 % 7) - 3;
  }
  const std::vector<double> shown = {1, 0, 1, 1, 1, 1}, none(36);
  run.bind("q", a);
  run.bind("k", b);
  run.bind("v", c);
  run.bind("mask", shown);
  run.bind("zeros", none);
  run.forward();
  for (std::int64_t i = 0; i < 24; ++i)
    CHECK(run.output("parts")[i] == doctest::Approx(run.output("whole")[i]).epsilon(1e-12));
}

TEST_CASE("attention ops: heads must divide the channels") {
  Graph graph;
  const Var q = graph.input("q", {1, 2, 4});
  CHECK_THROWS_AS((void)attention(q, q, q, {.heads = 3}), Error);
}

}  // namespace logpx::ops_attention_test
