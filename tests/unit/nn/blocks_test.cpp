// Blocks made of layers: attention, ResNet, U-Net.
#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/math/conv.hpp"
#include "libcore/nn/attention.hpp"
#include "libcore/nn/embedding.hpp"
#include "libcore/nn/resnet.hpp"
#include "libcore/nn/unet.hpp"
#include "tests/support/layer_check.hpp"
#include "tests/support/layer_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::blocks_test {

using Names = std::vector<std::string>;

namespace {

// All starting values, by tensor name.
bool starts_at_zero(LayerModel& model, const std::string& name) {
  const int tensor = model.params.find(name);
  REQUIRE(tensor >= 0);
  const std::span<float> values = model.params.view(tensor).span();
  return std::all_of(values.begin(), values.end(), [](float v) { return v == 0; });
}

}  // namespace

TEST_CASE("nn: an embedding gives each symbol its row") {
  LayerModel model;
  const Embedding table(model.site / "tokens", 5, 3);
  CHECK(layer_check::tensors(model.params) == Names{"tokens/w [5,3]"});
  CHECK(layer_check::trouble(
            model.params,
            [&](Graph& g) { return table(model.params, g.index_input("index", {4})); },
            {{"index", {0, 3, 3, 4}}}) == "");
}

TEST_CASE("nn: self-attention, with and without a mask") {
  LayerModel model;
  const SelfAttention attention(model.site / "attn", 4, {.heads = 2});
  CHECK(layer_check::tensors(model.params) ==
        Names{"attn/q/w [4,4]", "attn/q/b [4]", "attn/k/w [4,4]", "attn/k/b [4]", "attn/v/w [4,4]",
              "attn/v/b [4]", "attn/o/w [4,4]", "attn/o/b [4]"});
  Graph graph;
  CHECK(attention(model.params, graph.input("x", {2, 5, 4})).shape() == Shape{2, 5, 4});
  CHECK(layer_check::trouble(
            model.params,
            [&](Graph& g) {
              return attention(model.params, g.input("x", {2, 3, 4}), g.input("mask", {2, 3}));
            },
            {{"mask", {1, 0, 1, 1, 1, 0}}}) == "");
}

TEST_CASE("nn: a transformer block gives the same bytes when it is recomputed") {
  LayerModel model;
  const TransformerBlock first(model.site / "first", 4, 6, {.heads = 2}),
      second(model.site / "second", 4, 6, {.heads = 1, .probabilities = Probabilities::recomputed});
  CHECK(layer_check::trouble(model.params, [&](Graph& g) {
          Var x = g.input("x", {2, 3, 4});
          for (const TransformerBlock* block : {&first, &second}) {
            const Graph::Recompute region(g);
            x = (*block)(model.params, x);
          }
          return x;
        }) == "");
}

TEST_CASE("nn: attention among pixels starts as the identity") {
  LayerModel model;
  const ImageAttention attention(model.site / "attn", 4, {.heads = 2, .groups = 2});
  model.start();
  CHECK(starts_at_zero(model, "attn/o/w"));
  CHECK_FALSE(starts_at_zero(model, "attn/q/w"));
  CHECK(layer_check::trouble(model.params, [&](Graph& g) {
          return attention(model.params, g.input("x", {2, 4, 3, 2}));
        }) == "");
}

TEST_CASE("nn: a ResNet block changes its channels through a shortcut") {
  LayerModel model;
  const ResnetBlock block(model.site / "block", 4, 6, {.condition = 3, .groups = 2});
  CHECK(layer_check::tensors(model.params) ==
        Names{"block/norm1/w [4]", "block/norm1/b [4]", "block/conv1/w [6,4,3,3]",
              "block/conv1/b [6]", "block/cond_proj/w [3,6]", "block/norm2/w [6]",
              "block/norm2/b [6]", "block/conv2/w [6,6,3,3]", "block/conv2/b [6]",
              "block/shortcut/w [6,4,1,1]", "block/shortcut/b [6]"});
  model.start();
  CHECK(starts_at_zero(model, "block/conv2/w"));
  CHECK(starts_at_zero(model, "block/cond_proj/w"));
  CHECK(layer_check::trouble(model.params, [&](Graph& g) {
          return block(model.params, g.input("x", {2, 4, 3, 3}), g.input("condition", {2, 3}));
        }) == "");
}

TEST_CASE("nn: dropout is an input of the training graph alone") {
  LayerModel model;
  const ResnetBlock block(model.site / "net" / "block", 4, 4, {.groups = 2, .dropout = 0.5});
  const auto inputs = [&](BlockPass pass) {
    Graph graph;
    (void)block(model.params, graph.input("x", {1, 4, 2, 2}), {}, pass);
    Names names;
    for (const Node& node : graph.nodes())
      if (node.kind == NodeKind::input) names.push_back(node.path);
    return names;
  };
  CHECK(inputs(BlockPass::evaluation) == Names{"x"});
  CHECK(inputs(BlockPass::training) == Names{"x", "net/block/dropout_mask"});
  std::vector<double> mask(16, 1);
  mask[3] = mask[8] = 0;
  CHECK(layer_check::trouble(
            model.params,
            [&](Graph& g) {
              return block(model.params, g.input("x", {1, 4, 2, 2}), {}, BlockPass::training);
            },
            {{"net/block/dropout_mask", mask}}) == "");
}

TEST_CASE("nn: the U-Net of VDM keeps the resolution") {
  LayerModel model;
  const Unet net(model.site / "unet", {.in_channels = 3,
                                       .out_channels = 2,
                                       .channels = 4,
                                       .blocks = 1,
                                       .block = {.condition = 5, .groups = 2}});
  model.start();
  CHECK(starts_at_zero(model, "unet/conv_out/w"));
  CHECK(model.params.find("unet/mid/attn/q/w") > 0);
  CHECK(model.params.find("unet/up/1/shortcut/w") > 0);
  CHECK(model.params.find("unet/up/2/conv1/w") == -1);
  const auto build = [&](Graph& g) {
    return net(model.params, g.input("x", {2, 3, 4, 2}), g.input("condition", {2, 5}));
  };
  Graph graph;
  CHECK(build(graph).shape() == Shape{2, 2, 4, 2});
  CHECK(layer_check::trouble(model.params, build) == "");
}

TEST_CASE("nn: a U-Net of three resolutions, attention at the lowest") {
  LayerModel model;
  const Unet net(model.site / "unet", {.in_channels = 2,
                                       .out_channels = 3,
                                       .channels = 2,
                                       .multipliers = {1, 2, 2},
                                       .blocks = 1,
                                       .attention_levels = {2},
                                       .middle = MiddleAttention::without,
                                       .out_kernel = 1,
                                       .block = {.groups = 2}});
  CHECK(model.params.find("unet/down/attn2/q/w") > 0);
  CHECK(model.params.find("unet/up/attn1/q/w") > 0);
  CHECK(model.params.find("unet/mid/attn/q/w") == -1);
  CHECK(model.params.infos().back().shape == Shape{3});
  const auto build = [&](Graph& g) { return net(model.params, g.input("x", {1, 2, 8, 4})); };
  Graph graph;
  CHECK(build(graph).shape() == Shape{1, 3, 8, 4});
  CHECK(layer_check::trouble(model.params, build) == "");
  CHECK_THROWS_AS((void)net(model.params, graph.input("odd", {1, 2, 7, 4})), Error);
}

TEST_CASE("nn: pictures are halved until their longer side is short enough, if they can be") {
  const auto resolutions = [](std::int64_t height, std::int64_t width) {
    return multipliers_to(8, height, width).size();
  };
  CHECK(resolutions(8, 8) == 1);
  CHECK(resolutions(28, 28) == 3);
  CHECK(resolutions(16, 32) == 3);
  CHECK(resolutions(27, 27) == 1);
  CHECK(resolutions(4096, 4096) == most_resolutions);
}

TEST_CASE("nn: recomputing a U-Net needs less memory") {
  LayerModel model;
  const Unet net(model.site / "unet", {.channels = 8, .blocks = 4, .block = {.groups = 4}});
  Graph graph;
  graph.output("y", net(model.params, graph.input("x", {2, 1, 8, 8})));
  const PlanRequest keep{.from = "y", .parameters = true},
      again{.from = "y", .parameters = true, .recompute = true};
  CHECK(make_plan(graph, again).arena_elements < make_plan(graph, keep).arena_elements);
}

TEST_CASE("nn: a U-Net gives the same numbers on every path of products and convolutions") {
  LayerModel model;
  const Unet net(model.site / "unet", {.in_channels = 2,
                                       .channels = 6,
                                       .multipliers = {1, 2},
                                       .blocks = 1,
                                       .last_weights = {Init::Rule::lecun_normal},
                                       .block = {.groups = 2}});
  model.start();
  Graph graph;
  graph.output("y", net(model.params, graph.input("x", {2, 2, 8, 8})));
  const Substream stream(1, Stream::test, 0);
  std::vector<float> x(256);
  fill_normals(stream, 0, x);
  const auto run = [&](Numerics numerics) {
    Executor<float> executor(graph, {.from = "y", .inputs = {"x"}, .numerics = numerics});
    executor.bind("x", x);
    executor.bind_parameters(model.params.block());
    executor.forward();
    executor.backward();
    std::vector<float> values;
    for (const View<const float>& view : {executor.output("y"), executor.gradient("x")})
      values.insert(values.end(), view.data, view.data + view.size());
    return values;
  };
  const std::vector<float> expected = run({Product::blas, Convolution::im2col});
  for (const Numerics numerics : {Numerics{Product::ordered, Convolution::ordered},
                                  Numerics{Product::blas, best_convolution()}}) {
    const std::vector<float> computed = run(numerics);
    REQUIRE(computed.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(std::abs(computed[i] - expected[i]) <= 1e-4f * (1 + std::abs(expected[i])));
  }
}

}  // namespace logpx::blocks_test
