// Layers without a condition or state: tensors in order, shapes, gradients.
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/nn/conv.hpp"
#include "libcore/nn/joined_linear.hpp"
#include "libcore/nn/linear.hpp"
#include "libcore/nn/mlp.hpp"
#include "libcore/nn/norm.hpp"
#include "tests/support/layer_check.hpp"
#include "tests/support/layer_model.hpp"

#include <doctest/doctest.h>

namespace logpx::layers_test {

using Names = std::vector<std::string>;

TEST_CASE("nn: linear has w and b, or w alone") {
  LayerModel model;
  const Linear a(model.site / "a", 3, 5, {.activation = Activation::tanh});
  const Linear b(model.site / "b", 5, 2, {.bias = Bias::without});
  CHECK(layer_check::tensors(model.params) == Names{"a/w [3,5]", "a/b [5]", "b/w [5,2]"});
  Graph graph;
  CHECK(b(model.params, a(model.params, graph.input("x", {2, 4, 3}))).shape() == Shape{2, 4, 2});
  CHECK(graph.nodes().back().path == "b/linear");
  CHECK(layer_check::trouble(model.params, [&](Graph& g) {
          return b(model.params, a(model.params, g.input("x", {4, 3})));
        }) == "");
}

TEST_CASE("nn: joined linear layers have the tensors and the numbers of each alone") {
  LayerModel joined, apart;
  const LinearOptions options{.activation = Activation::silu, .biases = Init::normal(0.3)};
  const JoinedLinear both(joined.site / "out", 3, {{"a", 2}, {"b", 4}}, options);
  const Linear a(apart.site / "out" / "a", 3, 2, options),
      b(apart.site / "out" / "b", 3, 4, options);
  CHECK(layer_check::tensors(joined.params) == layer_check::tensors(apart.params));
  joined.start();
  apart.start();
  const std::vector<float> x = {0.5F, -1, 2, 0.1F, 0.7F, -0.3F};
  const auto numbers = [&](const LayerModel& model, auto layers) {
    Graph graph;
    const std::vector<Var> parts = layers(model.params, graph.input("x", {2, 3}));
    graph.output("a", parts[0]);
    graph.output("b", parts[1]);
    Executor<float> run(graph, {.numerics = repeatable_numerics});
    run.bind("x", x);
    run.bind_parameters(model.params.block());
    run.forward();
    const auto first = run.output("a").span(), second = run.output("b").span();
    std::vector<float> all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    return all;
  };
  CHECK(numbers(joined, [&](const ParamSet& params, Var in) { return both(params, in); }) ==
        numbers(apart, [&](const ParamSet& params, Var in) {
          return std::vector<Var>{a(params, in), b(params, in)};
        }));
  CHECK(layer_check::trouble(joined.params, [&](Graph& g) {
          const std::vector<Var> parts = both(joined.params, g.input("x", {4, 3}));
          return concat(parts, 1);
        }) == "");
}

TEST_CASE("nn: initial weights and biases follow the options") {
  LayerModel model;
  const Linear layer(model.site / "layer", 50, 800, {.biases = Init::normal(0.1)});
  model.start();
  const auto variance = [&](int tensor) {
    double sum = 0;
    for (const double v : model.params.view(tensor).span()) sum += v * v;
    return sum / static_cast<double>(model.params.view(tensor).size());
  };
  // 40000 and 800 draws at a fixed seed: five standard errors are 4 % and 25 %.
  CHECK(variance(0) == doctest::Approx(2.0 / 850).epsilon(0.04));
  CHECK(variance(1) == doctest::Approx(0.01).epsilon(0.25));
}

TEST_CASE("nn: convolutions of an encoder and a decoder") {
  LayerModel model;
  const Conv2d down(model.site / "down", 2, 4,
                    {.kernel = 4, .stride = 2, .activation = Activation::silu});
  const ConvTranspose2d up(model.site / "up", 4, 3);
  CHECK(layer_check::tensors(model.params) ==
        Names{"down/w [4,2,4,4]", "down/b [4]", "up/w [4,3,4,4]", "up/b [3]"});
  const auto build = [&](Graph& g) {
    return up(model.params, down(model.params, g.input("x", {2, 2, 6, 4})));
  };
  Graph graph;
  CHECK(build(graph).shape() == Shape{2, 3, 6, 4});
  CHECK(layer_check::trouble(model.params, build) == "");
}

TEST_CASE("nn: norms start as plain normalisation") {
  LayerModel model;
  const GroupNorm group(model.site / "group", 6, 32);  // gcd(32, 6): two groups
  const LayerNorm layer(model.site / "layer", 5);
  const BatchNorm batch(model.site / "batch", 6);
  model.start();
  CHECK(layer_check::tensors(model.params) == Names{"group/w [6]", "group/b [6]", "layer/w [5]",
                                                    "layer/b [5]", "batch/w [6]", "batch/b [6]"});
  CHECK(model.params.view(0)[5] == 1);
  CHECK(model.params.view(1)[5] == 0);
  CHECK(layer_check::trouble(model.params, [&](Graph& g) {
          const Var x = g.input("x", {3, 6, 5});
          const Var y = batch(model.params, x, channel_statistics(x));
          return layer(model.params, group(model.params, y));
        }) == "");
}

TEST_CASE("nn: an MLP names its layers and can start at its last bias") {
  LayerModel model;
  const Mlp mlp(model.site / "mlp", {3, 7, 5, 2}, {.last_weights = Init::zeros()});
  CHECK(layer_check::tensors(model.params) == Names{"mlp/dense0/w [3,7]", "mlp/dense0/b [7]",
                                                    "mlp/dense1/w [7,5]", "mlp/dense1/b [5]",
                                                    "mlp/dense2/w [5,2]", "mlp/dense2/b [2]"});
  model.start();
  CHECK(model.params.view(2)[0] != 0);
  for (const float w : model.params.view(4).span()) CHECK(w == 0);
  CHECK(layer_check::trouble(model.params, [&](Graph& g) {
          return mlp(model.params, g.input("x", {4, 3}));
        }) == "");
}

TEST_CASE("nn: a residual dense block keeps its width") {
  LayerModel model;
  const ResidualDense block(model.site / "block", 5, 8);
  CHECK(layer_check::tensors(model.params) == Names{"block/norm/w [5]", "block/norm/b [5]",
                                                    "block/dense0/w [5,8]", "block/dense0/b [8]",
                                                    "block/dense1/w [8,5]", "block/dense1/b [5]"});
  CHECK(layer_check::trouble(model.params, [&](Graph& g) {
          return block(model.params, g.input("x", {4, 5}));
        }) == "");
}

}  // namespace logpx::layers_test
