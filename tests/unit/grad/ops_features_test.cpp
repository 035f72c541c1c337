#include "libcore/grad/ops_features.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace logpx::ops_features_test {
namespace {

using In = std::vector<Var>;

const std::vector<gradcheck::Case> cases = {
    {"Fourier features",
     {{{2, 3, 2, 2}}},
     [](const In& in) {
       return fourier_features(in[0], {0, 1});
     }},
    {"Fourier features of vectors",
     {{{3, 2}}},
     [](const In& in) {
       return fourier_features(in[0], {-1, 2, 0});
     }},
    {"time embedding", {{{5}, 0, 1}}, [](const In& in) { return time_embedding(in[0], 6, 3); }},
    {"monotone linear",
     {{{3, 2}}, {{2, 4}}, {{4}}},
     [](const In& in) { return monotone_linear(in[0], in[1], in[2]); }},
};
const bool listed = gradcheck::list(cases);

}  // namespace

TEST_CASE("feature ops: backward equals central differences") {
  for (const gradcheck::Case& item : cases) gradcheck::run(item);
}

TEST_CASE("feature ops: Fourier features of an 8-bit grid are exact signs") {
  Graph graph;
  graph.output("y", fourier_features(graph.input("x", {256, 1}), {7}));
  Executor<float> run(graph, {});
  std::vector<float> x;
  for (int k = 0; k < 256; ++k) x.push_back(2 * (static_cast<float>(k) + 0.5f) / 256 - 1);
  run.bind("x", x);
  run.forward();
  for (int k = 0; k < 256; ++k)
    CHECK(run.output("y")[3 * k + 1] == doctest::Approx(k % 2 == 0 ? 1 : -1).epsilon(1e-6));
}

TEST_CASE("feature ops: Fourier features in float and their gradients are exact but for rounding") {
  std::vector<float> x, up;
  for (int k = 0; k < 400; ++k) {
    x.push_back(0.37f * static_cast<float>(k) / 53 - 1.3f);
    for (int c = 0; c < 5; ++c) up.push_back(c == k % 5 ? 1.0f : 0.0f);
  }
  Graph graph;
  graph.output("y", fourier_features(graph.input("x", {400, 1}), {7, 8}));
  PlanRequest request;
  request.from = "y";
  request.inputs = {"x"};
  Executor<float> run(graph, request);
  run.bind("x", x);
  run.forward();
  run.backward(up);
  for (int k = 0; k < 400; ++k) {
    const auto at = static_cast<long double>(x[static_cast<std::size_t>(k)]);
    const long double pi = std::numbers::pi_v<long double>;
    const long double low = 128 * pi * at, high = 256 * pi * at;
    const long double y[] = {at, std::sin(low), std::sin(high), std::cos(low), std::cos(high)};
    const long double slope[] = {1, 128 * pi * y[3], 256 * pi * y[4], -128 * pi * y[1],
                                 -256 * pi * y[2]};
    for (int c = 0; c < 5; ++c)
      CHECK(std::abs(run.output("y")[5 * k + c] - static_cast<double>(y[c])) < 6.1e-8);
    const auto expected = static_cast<double>(slope[k % 5]);
    CHECK(std::abs(run.gradient("x")[k] - expected) <= 6.1e-8 * std::abs(expected) + 1e-9);
  }
}

TEST_CASE("feature ops: a monotone network rises with its input whatever its weights") {
  Graph graph;
  const Var x = graph.input("x", {2, 1});
  graph.output("y", monotone_linear(x, graph.input("w", {1, 3}), graph.input("b", {3})));
  Executor<float> run(graph, {});
  const std::vector<float> at = {0.1f, 0.2f}, w = {-5, 0, 5}, b = {1, -1, 0};
  run.bind("x", at);
  run.bind("w", w);
  run.bind("b", b);
  run.forward();
  for (std::int64_t o = 0; o < 3; ++o) CHECK(run.output("y")[3 + o] > run.output("y")[o]);
}

TEST_CASE("feature ops: an odd embedding is refused") {
  Graph graph;
  CHECK_THROWS_AS((void)time_embedding(graph.input("t", {2}), 7), Error);
}

}  // namespace logpx::ops_features_test
