#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/ops_sample.hpp"
#include "tests/support/allocations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace logpx::executor_test {
namespace {

using Doubles = std::vector<double>;

Doubles copy(View<const double> view) { return {view.data, view.data + view.size()}; }

// It reads the first number of every row, and says so.
struct FirstOfRow final : TypedOp<FirstOfRow> {
  const char* name() const override { return "first_of_row"; }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }
  std::int64_t reads_of_row(std::span<const Shape>, const Shape&) const override { return 1; }
  template <typename T>
  void forward(const Frame<T>& f) const {
    for (std::int64_t i = 0; i < f.out().size(); ++i) f.output[i] = f.in(0)[i];
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const std::int64_t row = f.output_shape.back();
    f.add_gradient(0, [&](std::int64_t i) { return i % row == 0 ? f.upstream()[i] : T(0); });
  }
};

}  // namespace

TEST_CASE("executor: linear makes no gradient for numbers that the op before it does not read") {
  Graph graph(Precision::f64);
  const Var x = graph.input("x", {2, 3});
  const Var rows = graph.apply(std::make_unique<FirstOfRow>(), {x});
  graph.output("y", linear(rows, graph.input("w", {3, 2})));
  graph.output("whole", linear(rows.reshape({3, 2}), graph.input("v", {2, 1})));
  const Doubles numbers = {1, 2, 3, 4, 5, 6}, w = {1, 2, 0, 0, -1, 5}, v = {7, 8};
  const auto gradient_of = [&](const char* from) {
    Executor<double> run(graph, {.from = from, .inputs = {"x"}, .reuse = Reuse::nothing});
    run.bind("x", numbers);
    run.bind("w", w);
    run.bind("v", v);
    run.forward();
    CHECK(run.find_non_finite() == "");
    run.forward();
    run.backward();
    return copy(run.gradient("x"));
  };
  CHECK(gradient_of("y") == Doubles{3, 0, 0, 3, 0, 0});
  CHECK(gradient_of("whole") == Doubles{7, 0, 0, 8, 0, 0});
}

TEST_CASE("executor: a seed weighs the elements of the start, ones by default") {
  Graph graph(Precision::f64);
  graph.output("y", square(graph.input("x", {3})));
  Executor<double> run(graph, {.from = "y", .inputs = {"x"}});
  const Doubles x = {1, 2, 3}, seed = {1, 10, -1};
  run.bind("x", x);
  run.forward();
  run.backward();
  CHECK(copy(run.gradient("x")) == Doubles{2, 4, 6});
  run.forward();
  run.backward(seed);
  CHECK(copy(run.gradient("x")) == Doubles{2, 40, -6});
}

TEST_CASE("executor: a start that is a view passes nothing to the rest of its node") {
  Graph graph(Precision::f64);
  const Var y = square(graph.input("x", {4, 1}));
  graph.output("part", y.rows(1, 3));
  graph.output("whole", y);
  Executor<double> run(graph, {.from = "part", .inputs = {"x"}});
  const Doubles x = {1, 2, 3, 4}, seed = {1, 10};
  run.bind("x", x);
  run.forward();
  run.backward();
  CHECK(copy(run.gradient("x")) == Doubles{0, 4, 6, 0});
  run.forward();
  run.backward(seed);
  CHECK(copy(run.gradient("x")) == Doubles{0, 4, 60, 0});
}

TEST_CASE("executor: inputs and parameters may be bound anew between runs") {
  ParamSet params;
  const int w = params.add("w", {2});
  Graph graph(Precision::f64);
  graph.output("y", graph.input("x", {2}) * graph.parameter(params, w));
  Executor<double> run(graph, {.from = "y", .parameters = true, .inputs = {"x"}});
  const auto size = static_cast<std::size_t>(params.block_size());
  Doubles x = {1, 2}, other = {5, 6}, block(size), second(size), gradients(size);
  block[0] = 3, block[1] = 4, second[0] = -1, second[1] = 1;
  run.bind("x", x);
  run.bind_parameters(block, gradients);
  run.forward();
  CHECK(copy(run.output("y")) == Doubles{3, 8});
  run.backward();
  run.bind("x", other);
  run.bind_parameters(second, gradients);
  run.forward();
  CHECK(copy(run.output("y")) == Doubles{-5, 6});
  run.backward();
  CHECK(copy(run.gradient("x")) == Doubles{-1, 1});
  CHECK(gradients[0] == 5);  // of this run alone
  CHECK(gradients[1] == 6);
  run.bind_parameters(block);  // without gradients: none are touched
  run.forward();
  run.backward();
  CHECK(gradients[0] == 5);
}

TEST_CASE("executor: a block of gradients is written whole, whoever writes how much of it") {
  ParamSet params;
  const int unused = params.add("unused", {3}), w = params.add("w", {4}), v = params.add("v", {2}),
            twice = params.add("twice", {2}), last = params.add("last", {1});
  Graph graph(Precision::f64);
  const Var x = graph.input("x", {2}), half = slice(graph.parameter(params, w), 0, 1, 3);
  const Var product = graph.parameter(params, twice) * graph.parameter(params, twice);
  graph.output("y",
               x * half + graph.parameter(params, v) * x + graph.parameter(params, v) + product);
  Executor<double> run(graph, {.from = "y", .parameters = true});
  const Doubles values = {10, 20};
  Doubles block(static_cast<std::size_t>(params.block_size()), 3),
      gradients(block.size(), std::nan(""));
  run.bind("x", values);
  run.bind_parameters(block, gradients);
  for (int repeat = 0; repeat < 2; ++repeat) {
    run.forward();
    run.backward();
    const auto of = [&](int tensor) {
      const auto view = params.view(tensor, std::span<double>(gradients)).span();
      return Doubles(view.begin(), view.end());
    };
    CHECK(of(unused) == Doubles{0, 0, 0});
    CHECK(of(w) == Doubles{0, 10, 20, 0});
    CHECK(of(v) == Doubles{11, 21});
    CHECK(of(twice) == Doubles{6, 6});
    CHECK(of(last) == Doubles{0});
    std::ranges::fill(gradients, std::nan(""));
  }
}

TEST_CASE("executor: a view of a parameter adds to what the rest of it gets") {
  ParamSet params;
  const int w = params.add("w", {3, 2});
  for (const bool view_first : {true, false}) {
    Graph graph(Precision::f64);
    const Var whole = graph.parameter(params, w), part = whole.rows(1, 2).reshape({2});
    const Var squares = sum(whole * whole), single = sum(part);
    graph.output("y", view_first ? single + squares : squares + single);
    Executor<double> run(graph, {.from = "y", .parameters = true});
    const Doubles block(static_cast<std::size_t>(params.block_size()), 3);
    Doubles gradients(block.size(), std::nan(""));
    run.bind_parameters(block, gradients);
    run.forward();
    run.backward();
    gradients.resize(6);
    CHECK(gradients == Doubles{6, 6, 7, 7, 6, 6});
  }
}

TEST_CASE("executor: powers under repeatable numerics are those of libm but for rounding") {
  const Doubles x = {0.25, 2, -3, 0, 1e-9, 1e9};
  for (const double exponent : {3.0, 2.0, 0.5, -1.0}) {
    CAPTURE(exponent);
    Graph graph(Precision::f64);
    graph.output("y", pow(graph.input("x", {6}), exponent));
    Executor<double> run(graph, {.from = "y", .inputs = {"x"}, .numerics = repeatable_numerics});
    run.bind("x", x);
    run.forward();
    const Doubles y = copy(run.output("y"));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double expected = std::pow(x[i], exponent);
      if (std::isfinite(expected)) CHECK(y[i] == doctest::Approx(expected).epsilon(1e-13));
      else CHECK((y[i] == expected || (std::isnan(y[i]) && std::isnan(expected))));
    }
  }
}

TEST_CASE("executor: the same bindings give the same bytes whatever ran before") {
  Graph graph;
  const Var x = graph.input("x", {5, 7});
  graph.output("y", logsumexp(softmax(exp(x)) * tanh(x), -1));
  Executor<float> run(graph, {.from = "y", .inputs = {"x"}});
  std::vector<float> a(35), b(35, 1e30F);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<float>(i));
  std::vector<float> first;
  for (const auto& values : {a, b, a}) {
    run.bind("x", values);
    run.forward();
    run.backward();
    const auto g = run.gradient("x").span();
    if (first.empty()) first.assign(g.begin(), g.end());
    if (values == a) CHECK(std::equal(first.begin(), first.end(), g.begin()));
  }
}

TEST_CASE("executor: constants and one graph under several executors") {
  Graph graph(Precision::f64);
  Tensor<double> table({2, 1});
  table[0] = 10, table[1] = 20;
  const Var x = graph.input("x", {2, 2});
  graph.output("y", x + graph.constant(table) * graph.constant(0.5));
  Executor<double> one(graph, {}), two(graph, {});
  const Doubles a = {1, 2, 3, 4}, b = {0, 0, 0, 0};
  one.bind("x", a);
  two.bind("x", b);
  one.forward();
  two.forward();
  CHECK(copy(one.output("y")) == Doubles{6, 7, 13, 14});
  CHECK(copy(two.output("y")) == Doubles{5, 5, 10, 10});
}

TEST_CASE("executor: forward and backward allocate nothing") {
  ParamSet params;
  const int w = params.add("w", {20, 30}), b = params.add("b", {30});
  Graph graph;
  const Var x = graph.input("x", {16, 20}), noise = graph.input("noise", {16, 15});
  const Var h =
      linear(x, graph.parameter(params, w), graph.parameter(params, b), Activation::gelu_erf);
  const Var z = reparameterise(slice(h, 1, 0, 15), slice(h, 1, 15, 30), noise);
  const Var p = softmax(permute(z, {1, 0}), 0);
  const Var nll = -bernoulli_log_prob(p.reshape({16, 15}), z * graph.constant(2.0), 1);
  graph.output("loss", mean(nll + logsumexp(concat({z, h}, 1), -1)));
  Executor<float> run(graph, {.from = "loss", .parameters = true, .inputs = {"x"}});
  std::vector<float> xs(320, 0.1F), ns(240, 0.2F), gradients(params.block().size());
  run.bind("x", xs);
  run.bind("noise", ns);
  run.bind_parameters(params.block(), gradients);
  run.forward();
  run.backward();
  const std::int64_t before = allocations();
  for (int i = 0; i < 3; ++i) {
    run.forward();
    run.backward();
  }
  CHECK(allocations() == before);
  const std::vector<float> seen(1000);
  CHECK(allocations() == before + 1);  // the counter counts
}

TEST_CASE("executor: names the first node that is not finite, with element and range of inputs") {
  Graph graph;
  const Var x = graph.input("x", {3});
  const Var shifted = x - 1.0;
  const Graph::Scope scope(graph, "decoder");
  graph.output("y", exp(log(shifted)));
  Executor<float> run(graph, {.from = "y", .inputs = {"x"}});
  std::vector<float> good = {2, 3, 4}, bad = {2, 0.5F, 4};
  run.bind("x", good);
  CHECK(run.find_non_finite() == "");
  run.bind("x", bad);
  const std::string text = run.find_non_finite();
  CHECK(text.find("decoder/log: ") == 0);
  CHECK(text.find("at element 1; inputs between -0.5 and 3") != std::string::npos);
}

TEST_CASE("executor: names the node whose gradient is not finite") {
  Graph graph;
  const Var x = graph.input("x", {2});
  graph.output("y", sum(sqrt(x)));
  Executor<float> run(graph, {.from = "y", .inputs = {"x"}});
  const std::vector<float> values = {4, 0};
  run.bind("x", values);
  const std::string text = run.find_non_finite();
  CHECK(text.find("sqrt (gradient): inf at element 1") == 0);
}

TEST_CASE("executor: what overflows only from its own seed is found from that seed") {
  Graph graph;
  const Var x = graph.input("x", {2});
  graph.output("y", square(x));
  Executor<float> run(graph, {.from = "y", .inputs = {"x"}});
  const std::vector<float> values = {1e10F, 1}, seed = {1e30F, 1};
  run.bind("x", values);
  CHECK(run.find_non_finite() == "");
  CHECK(run.find_non_finite(seed).find("square (gradient): inf at element 0") == 0);
}

}  // namespace logpx::executor_test
