#include "libcore/grad/ops_attention.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

TEST_CASE("attention ops: a query whose scores are all -inf gives zeros") {
  const float nothing = -std::numeric_limits<float>::infinity();
  Graph whole;
  const Var q = whole.input("q", {1, 2, 1}), k = whole.input("k", {1, 3, 1});
  whole.output("y", attention(q, k, whole.input("v", {1, 3, 4})));
  Executor<float> attend(whole, {});
  const std::vector<float> at_q = {nothing, 1}, at_k = {1, 2, 3};
  attend.bind("q", at_q);
  attend.bind("k", at_k);
  const std::vector<float> at_v = ramp(12, 0.5f);
  attend.bind("v", at_v);
  attend.forward();
  for (std::int64_t i = 0; i < 4; ++i) CHECK(attend.output("y")[i] == 0);
  for (std::int64_t i = 4; i < 8; ++i) CHECK(std::isfinite(attend.output("y")[i]));
}

TEST_CASE("attention ops: heads must divide the channels") {
  Graph graph;
  const Var q = graph.input("q", {1, 2, 4});
  CHECK_THROWS_AS((void)attention(q, q, q, {.heads = 3}), Error);
}

}  // namespace logpx::ops_attention_test
