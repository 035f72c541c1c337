#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/graph.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>

namespace logpx::graph_test {
namespace {

using Vars = std::vector<Var>;

const std::vector<gradcheck::Case> cases = {
    {"a sum of two uses", {{{3, 4}}}, [](const Vars& in) { return square(in[0]) + exp(in[0]); }},
    {"x * x", {{{5}}}, [](const Vars& in) { return in[0] * in[0]; }},
    {"a view of an input", {{{3, 4}}}, [](const Vars& in) { return square(in[0].reshape({12})); }},
    {"rows of an input", {{{5, 3}}}, [](const Vars& in) { return square(in[0].rows(1, 4)); }},
    {"overlapping rows",
     {{{5, 3}}},
     [](const Vars& in) { return in[0].rows(0, 3) * in[0].rows(2, 5); }},
    {"rows and the whole of a node",
     {{{4, 2}}},
     [](const Vars& in) {
       const Var y = exp(in[0]);
       return y * y.rows(1, 2).reshape({1, 2});
     }},
    {"rows of rows, reshaped",
     {{{6, 4}}},
     [](const Vars& in) {
       const Var y = sin(in[0]);
       return y.rows(1, 5).rows(1, 3).reshape({4, 2}) + y.rows(0, 2).reshape({4, 2});
     }},
    {"a result that is a view",
     {{{4, 3}}},
     [](const Vars& in) { return square(in[0]).rows(1, 3); }},
    {"a long chain of ops that could write in place",
     {{{7}, 0.5, 2}},
     [](const Vars& in) {
       const Var a = neg(in[0] + 1.0), b = relu(3 - a), c = exp(b * 0.25);
       return tanh(c - a) * 2.0 + b;
     }},
};
const bool listed = gradcheck::list(cases);

std::string message_of(const auto& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("graph: gradients of views, slices and several uses agree with differences") {
  for (const auto& item : cases) gradcheck::run(item);
}

TEST_CASE("graph: the example of the header learns") {
  ParamSet params;  // a two-layer network
  const int w1 = params.add("hidden/w", {784, 500}), b1 = params.add("hidden/b", {500});
  const int w2 = params.add("out/w", {500, 10}), b2 = params.add("out/b", {10});

  Graph graph;
  const Var x = graph.input("x", {100, 784});
  const Var y = graph.index_input("y", {100});
  const Var hidden =
      linear(x, graph.parameter(params, w1), graph.parameter(params, b1), Activation::tanh);
  const Var logits = linear(hidden, graph.parameter(params, w2), graph.parameter(params, b2));
  graph.output("loss", -mean(categorical_log_prob(logits, y)));

  std::vector<float> images(100 * 784);
  std::vector<std::int32_t> labels(100);
  for (std::size_t i = 0; i < images.size(); ++i)
    images[i] = std::sin(static_cast<float>(i * i % 977));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 10);
  for (std::size_t i = 0; i < params.block().size(); ++i)
    params.block()[i] = 0.05F * std::cos(static_cast<float>(i * 7 % 1013));
  std::vector<float> gradients(params.block().size());

  Executor<float> run(graph, {.from = "loss", .parameters = true});
  run.bind("x", images);
  run.bind_index("y", labels);
  run.bind_parameters(params.block(), gradients);
  run.forward();
  const float before = run.output("loss")[0];
  run.backward();
  for (std::size_t i = 0; i < gradients.size(); ++i) params.block()[i] -= 0.05F * gradients[i];
  run.forward();
  CHECK(run.output("loss")[0] < before);
}

TEST_CASE("graph: layer paths stand in names and in messages") {
  Graph graph;
  const Var x = graph.input("x", {2, 3});
  {
    const Graph::Scope encoder(graph, "encoder"), hidden(graph, "hidden");
    const Var y = tanh(x);
    CHECK(graph.nodes()[static_cast<std::size_t>(y.node())].path == "encoder/hidden/tanh");
    CHECK(message_of([&] {
            (void)linear(y, graph.input("w", {4, 5}));
          }) == "encoder/hidden/linear: [2,3] x [4,5]: inner 3 vs 4");
    CHECK(message_of([&] { (void)y.reshape({7}); }) ==
          "encoder/hidden/tanh/reshape: [2,3] to [7]: 6 vs 7 elements");
  }
  const Var z = exp(x);
  CHECK(graph.nodes()[static_cast<std::size_t>(z.node())].path == "exp");
}

TEST_CASE("graph: names that are not there are refused") {
  Graph graph;
  graph.output("y", exp(graph.input("x", {2})));
  CHECK(message_of([&] { (void)graph.find_input("z"); }).find("z") != std::string::npos);
  CHECK(message_of([&] { (void)graph.find_output("x"); }).find("x") != std::string::npos);
}

}  // namespace logpx::graph_test
