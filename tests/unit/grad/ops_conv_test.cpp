#include "libcore/grad/ops_conv.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

namespace logpx::ops_conv_test {
namespace {

using In = std::vector<Var>;

gradcheck::Case conv_case(const std::string& name, std::vector<Shape> shapes, ConvOptions options) {
  std::vector<gradcheck::Input> inputs;
  for (const Shape& shape : shapes) inputs.push_back({.shape = shape});
  const bool linear = options.activation == Activation::none;
  return {name,
          inputs,
          [options](const In& in) {
            return in.size() > 2 ? conv2d(in[0], in[1], in[2], options)
                                 : conv2d(in[0], in[1], options);
          },
          {.linear_in = linear ? std::vector<int>{0, 1} : std::vector<int>{}}};
}

gradcheck::Case transpose_case(const std::string& name, std::vector<Shape> shapes,
                               ConvOptions options) {
  gradcheck::Case item = conv_case(name, std::move(shapes), options);
  item.build = [options](const In& in) {
    return in.size() > 2 ? conv_transpose2d(in[0], in[1], in[2], options)
                         : conv_transpose2d(in[0], in[1], options);
  };
  return item;
}

const std::vector<gradcheck::Case> cases = {
    conv_case("conv 3x3", {{2, 3, 5, 4}, {2, 3, 3, 3}, {2}}, {.pad = 1}),
    conv_case("conv 3x3 of one pixel", {{1, 1, 1, 1}, {1, 1, 3, 3}}, {.pad = 1}),
    conv_case("conv 1x1", {{3, 5, 2, 3}, {7, 5, 1, 1}, {7}}, {}),
    conv_case("conv 3x3, every second pixel", {{2, 2, 5, 7}, {3, 2, 3, 3}, {3}},
              {.stride = 2, .pad = 1}),
    conv_case("conv 4x4, every second pixel, silu", {{1, 2, 6, 6}, {2, 2, 4, 4}, {2}},
              {.stride = 2, .pad = 1, .activation = Activation::silu}),
    conv_case("conv 3x3, tanh", {{2, 2, 4, 4}, {3, 2, 3, 3}, {3}},
              {.pad = 1, .activation = Activation::tanh}),
    conv_case("conv 1x7", {{2, 2, 3, 8}, {3, 2, 1, 7}, {3}}, {.pad = {0, 3}}),
    conv_case("conv 7x1", {{1, 2, 8, 3}, {2, 2, 7, 1}}, {.pad = {3, 0}}),
    transpose_case("transposed 2x3 s2", {{1, 2, 3, 2}, {2, 3, 2, 3}, {3}},
                   {.stride = 2, .pad = {0, 1}}),
    transpose_case("transposed 4x4 s2 p1", {{2, 3, 3, 2}, {3, 2, 4, 4}, {2}},
                   {.stride = 2, .pad = 1}),
    transpose_case("transposed 4x4 from one pixel", {{2, 5, 1, 1}, {5, 3, 4, 4}}, {}),
    transpose_case("transposed 3x3 s2, gelu", {{1, 2, 3, 3}, {2, 3, 3, 3}, {3}},
                   {.stride = 2, .pad = 1, .activation = Activation::gelu_erf}),
    {"upsample",
     {{{2, 3, 2, 5}}},
     [](const In& in) { return upsample_nearest2(in[0]); },
     {.linear_in = {0}}},
    {"average pool",
     {{{2, 3, 4, 6}}},
     [](const In& in) { return average_pool(in[0], 2); },
     {.linear_in = {0}}},
    {"average pool of 3x3 tiles",
     {{{1, 2, 3, 9}}},
     [](const In& in) { return average_pool(in[0], 3); },
     {.linear_in = {0}}},
    {"means of windows without the border",
     {{{2, 3, 4, 5}}},
     [](const In& in) {
       return pool(in[0], {.kind = PoolKind::mean, .window = 3, .stride = 1, .pad = 1});
     },
     {.linear_in = {0}}},
    {"maxima of windows",
     {{{2, 2, 5, 7}}},
     [](const In& in) { return pool(in[0], {.window = 3, .stride = 2}); }},
    {"pad",
     {{{2, 2, 3, 4}}},
     [](const In& in) {
       return zero_pad(in[0], {1, 0, 2, 3});
     },
     {.linear_in = {0}}},
    {"pad and crop",
     {{{2, 2, 4, 4}}},
     [](const In& in) {
       return zero_pad(in[0], {-1, 2, 1, -2});
     },
     {.linear_in = {0}}},
};
const bool listed = gradcheck::list(cases);

}  // namespace

TEST_CASE("conv ops: backward equals central differences") {
  for (const gradcheck::Case& item : cases) gradcheck::run(item);
}

TEST_CASE("conv ops: a pooled window is of what it has inside the image") {
  const auto pooled = [](PoolOptions options) {
    Graph graph(Precision::f64);
    graph.output("y", pool(graph.input("x", {1, 1, 2, 3}), options));
    Executor<double> run(graph, {});
    const std::vector<double> x = {-1, -2, -3, -4, -5, -9};
    run.bind("x", x);
    run.forward();
    const auto y = run.output("y").span();
    return std::vector<double>(y.begin(), y.end());
  };
  CHECK(pooled({.kind = PoolKind::max, .window = 3, .stride = 1, .pad = 1}) ==
        std::vector<double>{-1, -1, -2, -1, -1, -2});
  CHECK(pooled({.kind = PoolKind::mean, .window = 3, .stride = 1, .pad = 1}) ==
        std::vector<double>{-3, -4, -4.75, -3, -4, -4.75});
  CHECK(pooled({.kind = PoolKind::mean, .window = 2, .stride = 2}) == std::vector<double>{-3});
}

TEST_CASE("conv ops: a misfit names the layer and both shapes") {
  Graph graph;
  const Graph::Scope scope(graph, "encoder");
  const Var x = graph.input("x", {2, 3, 8, 8}), w = graph.input("w", {4, 5, 3, 3});
  try {
    (void)conv2d(x, w);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.subject() == "encoder/conv2d");
    CHECK(error.message() == "[2,3,8,8] x [4,5,3,3]: channels 3 vs 5");
  }
  CHECK_THROWS_AS((void)average_pool(x, 3), Error);
  CHECK_THROWS_AS((void)zero_pad(x, {-4, -4, 0, 0}), Error);
  CHECK_THROWS_AS((void)pool(x, {.window = 9, .stride = 1}), Error);
  CHECK_THROWS_AS((void)pool(x, {.window = 3, .stride = 1, .pad = 3}), Error);
}

}  // namespace logpx::ops_conv_test
