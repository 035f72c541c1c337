#include "libcore/base/rng.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_sample.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace logpx::ops_sample_test {
namespace {

using gradcheck::Case;
using gradcheck::Input;
using Vars = std::vector<Var>;

const std::vector<Case> cases = {
    {"reparameterise",
     {{{2, 3}}, {{2, 3}}, {{2, 3}}},
     [](const Vars& in) { return reparameterise(in[0], in[1], in[2]); }},
    {"reparameterise, several draws",
     {{{2, 3}}, {{2, 3}}, {{4, 2, 3}}},
     [](const Vars& in) { return reparameterise(in[0], in[1], in[2]); }},
    {"dropout",
     {{{2, 3}}, Input{.shape = {2, 3}, .differentiable = false, .values = {1, 0, 0, 1, 1, 0}}},
     [](const Vars& in) { return dropout(in[0], in[1], 0.3); },
     {.linear_in = {0}}},
    {"gumbel", {{{7}, 0.05, 0.95}}, [](const Vars& in) { return gumbel(in[0]); }},
    {"scale_gradient",
     {{{3}}},
     [](const Vars& in) { return scale_gradient(scale_gradient(in[0], 4), 0.25); }},
    {"stop_gradient",
     {{{3}}},
     [](const Vars& in) { return stop_gradient(in[0]); },
     {.gradient_stops = true}},
    {"bernoulli_sample",
     {{{3}}, {{3}}},
     [](const Vars& in) { return bernoulli_sample(in[0], in[1]); },
     {.gradient_stops = true}},
    {"categorical_sample",
     {{{3, 4}}, {{3}}},
     [](const Vars& in) { return categorical_sample(in[0], in[1]); },
     {.gradient_stops = true}},
    {"one_hot_max",
     {{{3, 4}}},
     [](const Vars& in) { return one_hot_max(in[0]); },
     {.gradient_stops = true}},
    {"top_k", {{{3, 4}}}, [](const Vars& in) { return top_k(in[0], 2); }, {.gradient_stops = true}},
    {"straight_through",
     {{{3}}},
     [](const Vars& in) { return straight_through(in[0] * 1.0, in[0]); }},
    {"straight_beyond",
     {{{7}, -2, 2}},
     [](const Vars& in) {
       return straight_beyond(square(in[0]), in[0], {-9, 9});
     }},
};
const bool listed = gradcheck::list(cases);

constexpr std::int64_t draws = 20000;

std::vector<double> uniforms(std::int64_t n) {
  std::vector<double> u(static_cast<std::size_t>(n));
  const Substream stream(3, Stream::test, 0);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = stream.uniform(i);
  return u;
}

// What `build` makes of `n` uniforms.
template <typename Build>
std::vector<double> drawn(std::int64_t n, Build build) {
  Graph graph(Precision::f64);
  graph.output("y", build(graph.input("u", {n})));
  const std::vector<double> u = uniforms(n);
  Executor<double> executor(graph, {});
  executor.bind("u", u);
  executor.forward();
  const auto y = executor.output("y").span();
  return {y.begin(), y.end()};
}

Var logits_of(Graph& graph, const std::array<double, 3>& p) {
  Tensor<double> logits({draws, 3});
  for (std::int64_t i = 0; i < logits.size(); ++i)
    logits[i] = std::log(p[static_cast<std::size_t>(i % 3)]);
  return graph.constant(logits);
}

// Within five standard errors of p: false alarms are below one in a million.
void check_shares(const std::vector<double>& one_hot, const std::array<double, 3>& p) {
  std::array<double, 3> share{};
  for (std::size_t i = 0; i < one_hot.size(); ++i) share[i % 3] += one_hot[i] / draws;
  for (std::size_t c = 0; c < 3; ++c)
    CHECK(std::abs(share[c] - p[c]) <= 5 * std::sqrt(p[c] * (1 - p[c]) / draws));
}

}  // namespace

TEST_CASE("grad: draws and gates agree with differences") {
  for (const Case& item : cases)
    if (item.name != "straight_through") gradcheck::run(item);
}

TEST_CASE("grad: straight_beyond has the gradient of one within limits, of the other beyond") {
  Graph graph(Precision::f64);
  const Var x = graph.input("x", {4});
  graph.output("y", straight_beyond(square(x), x, {-1, 2}));
  Executor<double> executor(graph, {.from = "y", .inputs = {"x"}});
  const std::vector<double> values = {-3, -1, 2, 2.5}, squares = {9, 1, 4, 6.25},
                            slopes = {1, -2, 4, 1};
  executor.bind("x", values);
  executor.forward();
  executor.backward();
  for (std::int64_t i = 0; i < 4; ++i) {
    CHECK(executor.output("y")[i] == squares[static_cast<std::size_t>(i)]);
    CHECK(executor.gradient("x")[i] == slopes[static_cast<std::size_t>(i)]);
  }
}

TEST_CASE("grad: straight_through has the value of one and the gradient of the other") {
  Graph graph(Precision::f64);
  const Var x = graph.input("x", {3}), hard = graph.input("hard", {3});
  graph.output("y", straight_through(hard, square(x)));
  Executor<double> executor(graph, {.from = "y", .inputs = {"x", "hard"}});
  const std::vector<double> values = {1, 2, 3}, chosen = {0, 1, 0};
  executor.bind("x", values);
  executor.bind("hard", chosen);
  executor.forward();
  executor.backward();
  for (std::int64_t i = 0; i < 3; ++i) {
    CHECK(executor.output("y")[i] == chosen[static_cast<std::size_t>(i)]);
    CHECK(executor.gradient("x")[i] == 2 * values[static_cast<std::size_t>(i)]);
    CHECK(executor.gradient("hard")[i] == 0);
  }
}

TEST_CASE("grad: draws follow their probabilities and never what is impossible") {
  const std::array<double, 3> p = {0.2, 0.0, 0.8};
  check_shares(drawn(draws, [&](Var u) { return categorical_sample(logits_of(u.graph(), p), u); }),
               p);
  const std::array<double, 3> q = {0.2, 0.5, 0.3};
  check_shares(drawn(3 * draws,
                     [&](Var u) {
                       return one_hot_max(logits_of(u.graph(), q) + gumbel(u).reshape({draws, 3}));
                     }),
               q);
  double ones = 0;
  for (const double bit :
       drawn(draws, [](Var u) { return bernoulli_sample(u.graph().constant(0.3), u); }))
    ones += bit;
  CHECK(std::abs(ones / draws - 0.3) <= 5 * std::sqrt(0.21 / draws));
}

TEST_CASE("grad: top_k orders by score, equals by place") {
  Graph graph(Precision::f32);
  graph.output("y", top_k(graph.input("x", {2, 4}), 3));
  Executor<float> executor(graph, {});
  const std::vector<float> scores = {1, 5, 5, 2, 0, 0, 0, -1};
  executor.bind("x", scores);
  executor.forward();
  const auto y = executor.output("y").span();
  CHECK(std::vector<float>(y.begin(), y.end()) == std::vector<float>{1, 2, 3, 0, 1, 2});
}

}  // namespace logpx::ops_sample_test
