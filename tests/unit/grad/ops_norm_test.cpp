#include "libcore/grad/ops_norm.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::ops_norm_test {
namespace {

using In = std::vector<Var>;

const std::vector<gradcheck::Case> cases = {
    {"group norm",
     {{{2, 6, 3, 2}}, {{6}}, {{6}}},
     [](const In& in) { return group_norm(in[0], in[1], in[2], 3); }},
    {"group norm of one group, silu",
     {{{3, 5, 2, 1}}, {{5}}, {{5}}},
     [](const In& in) {
       return group_norm(in[0], in[1], in[2], 1, {1e-6, Activation::silu});
     }},
    {"group norm, tanh, of 18 pixels",
     {{{1, 4, 3, 6}}, {{4}}, {{4}}},
     [](const In& in) {
       return group_norm(in[0], in[1], in[2], 2, {1e-5, Activation::tanh});
     }},
    {"group norm without affine",
     {{{2, 4, 2, 2}}},
     [](const In& in) { return group_norm(in[0], 2); }},
    {"layer norm",
     {{{2, 3, 7}}, {{7}}, {{7}}},
     [](const In& in) { return layer_norm(in[0], in[1], in[2]); }},
    {"layer norm, gelu",
     {{{5, 19}}, {{19}}, {{19}}},
     [](const In& in) {
       return layer_norm(in[0], in[1], in[2], {1e-5, Activation::gelu_tanh});
     }},
    {"layer norm without affine", {{{4, 5}}}, [](const In& in) { return layer_norm(in[0]); }},
    {"channel statistics", {{{3, 2, 5}}}, [](const In& in) { return channel_statistics(in[0]); }},
    {"batch norm in training",
     {{{4, 3, 2, 2}}, {{3}}, {{3}}},
     [](const In& in) { return batch_norm(in[0], channel_statistics(in[0]), in[1], in[2]); }},
    {"batch norm in evaluation, silu",
     {{{2, 3, 5}}, {{2, 3}, 0.5, 2}, {{3}}, {{3}}},
     [](const In& in) {
       return batch_norm(in[0], in[1], in[2], in[3], {1e-5, Activation::silu});
     }},
};
const bool listed = gradcheck::list(cases);

}  // namespace

TEST_CASE("norm ops: backward equals central differences") {
  for (const gradcheck::Case& item : cases) gradcheck::run(item);
}

TEST_CASE("norm ops: the variance survives a mean that is a thousand deviations away") {
  Graph graph;
  graph.output("y", layer_norm(graph.input("x", {1, 256}), {.eps = 0}));
  Executor<float> run(graph, {});
  std::vector<float> x(256);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 4096 + (i % 2 == 0 ? 4.0f : -4.0f);
  run.bind("x", x);
  run.forward();
  for (std::int64_t i = 0; i < 256; ++i)
    CHECK(run.output("y")[i] == doctest::Approx(i % 2 == 0 ? 1 : -1).epsilon(1e-6));
}

TEST_CASE("norm ops: groups must divide the channels") {
  Graph graph;
  CHECK_THROWS_AS((void)group_norm(graph.input("x", {2, 6, 3}), 4), Error);
  CHECK_THROWS_AS(
      (void)layer_norm(graph.input("y", {2, 6}), graph.input("w", {5}), graph.input("b", {6})),
      Error);
}

}  // namespace logpx::ops_norm_test
