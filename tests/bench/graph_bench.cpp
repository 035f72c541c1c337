// Ops of the graph beside the products and vector functions that they stand on.
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/math/blas.hpp"
#include "tests/bench/bench.hpp"

#include <string>

namespace logpx::bench {

namespace {

struct Layer {
  std::int64_t rows, in, out;
};

std::vector<float> filled(std::int64_t n) {
  return std::vector<float>(static_cast<std::size_t>(n), 0.01F);
}

// forward, gradient to x, gradient to w and b of one layer, against the three products alone.
void bench_layer(Bench& bench, const Layer& l, Activation activation) {
  ParamSet params;
  const int w = params.add("w", {l.in, l.out}), b = params.add("b", {l.out});
  Graph graph;
  graph.output("y", linear(graph.input("x", {l.rows, l.in}), graph.parameter(params, w),
                           graph.parameter(params, b), activation));
  Executor<float> run(graph, {.from = "y", .parameters = true, .inputs = {"x"}});
  const std::vector<float> x = filled(l.rows * l.in), block = filled(params.block_size());
  std::vector<float> gradients = filled(params.block_size()), y = filled(l.rows * l.out),
                     dx = filled(l.rows * l.in);
  run.bind("x", x);
  run.bind_parameters(block, gradients);
  const auto layer = [&] {
    run.forward();
    run.backward();
  };
  const auto products = [&] {
    gemm(Gemm<float>{.m = l.rows,
                     .n = l.out,
                     .k = l.in,
                     .a = x.data(),
                     .lda = l.in,
                     .b = block.data(),
                     .ldb = l.out,
                     .c = y.data(),
                     .ldc = l.out});
    gemm(Gemm<float>{.trans_b = Trans::yes,
                     .m = l.rows,
                     .n = l.in,
                     .k = l.out,
                     .a = y.data(),
                     .lda = l.out,
                     .b = block.data(),
                     .ldb = l.out,
                     .c = dx.data(),
                     .ldc = l.in});
    gemm(Gemm<float>{.trans_a = Trans::yes,
                     .m = l.in,
                     .n = l.out,
                     .k = l.rows,
                     .a = x.data(),
                     .lda = l.in,
                     .b = y.data(),
                     .ldb = l.out,
                     .c = gradients.data(),
                     .ldc = l.out,
                     .beta = 1});
  };
  const std::vector<double> seconds = bench.seconds({layer, products});
  const double flops = 6.0 * static_cast<double>(l.rows * l.in * l.out);
  bench.add({.name = "linear fwd+bwd " + std::to_string(l.rows) + " x " + std::to_string(l.in) +
                     " x " + std::to_string(l.out) +
                     (activation == Activation::tanh ? " tanh" : ""),
             .value = flops / seconds[0] * 1e-9,
             .unit = "GFLOP/s",
             .share = seconds[1] / seconds[0],
             .floor = 0.75,
             .of = "its three products"});
}

// One op, forward and backward, per element of its input.
template <typename Build>
void bench_op(Bench& bench, const std::string& name, Build build) {
  constexpr std::int64_t rows = 100, columns = 784;
  Graph graph;
  const Var x = graph.input("x", {rows, columns});
  graph.output("y", build(x));
  Executor<float> run(graph, {.from = "y", .inputs = {"x"}});
  const std::vector<float> values = filled(rows * columns);
  run.bind("x", values);
  const double seconds = bench.seconds([&] {
    run.forward();
    run.backward();
  });
  bench.add({.name = name + " fwd+bwd",
             .value = seconds / static_cast<double>(rows * columns) * 1e9,
             .unit = "ns per element"});
}

void bench_overhead(Bench& bench) {
  constexpr int nodes = 200;
  Graph graph;
  Var x = graph.input("x", {1});
  for (int i = 0; i < nodes; ++i) x = x * 1.0;
  graph.output("y", x);
  Executor<float> run(graph, {});
  const std::vector<float> one = {1};
  run.bind("x", one);
  const double seconds = bench.seconds([&] { run.forward(); });
  const double each = seconds / nodes * 1e6;
  bench.add({.name = "overhead per node",
             .value = each,
             .unit = "us",
             .share = 2 / each,
             .floor = 1,
             .of = "2 us (more is faster)"});
}

}  // namespace

void bench_graph(Bench& bench) {
  for (const Layer& layer : {Layer{100, 784, 500}, Layer{100, 500, 784}, Layer{100, 500, 40}})
    for (const Activation activation : {Activation::none, Activation::tanh})
      bench_layer(bench, layer, activation);
  bench_op(bench, "add of a row", [](Var x) { return x + x.rows(0, 1); });
  bench_op(bench, "tanh", [](Var x) { return tanh(x); });
  bench_op(bench, "gelu_erf", [](Var x) { return gelu_erf(x); });
  bench_op(bench, "sum over rows", [](Var x) { return sum(x, 0); });
  bench_op(bench, "softmax", [](Var x) { return softmax(x); });
  bench_op(bench, "bernoulli_log_prob", [](Var x) { return bernoulli_log_prob(x, x, 1); });
  bench_op(bench, "gaussian_log_prob", [](Var x) { return gaussian_log_prob(x, x, x, 1); });
  bench_op(bench, "discretized_logistic_log_prob",
           [](Var x) { return discretized_logistic_log_prob(x, x, x, 256, 1); });
  bench_op(bench, "beta_binomial_log_prob",
           [](Var x) { return beta_binomial_log_prob(x * 0.0, x, x, 255, 1); });
  bench_overhead(bench);
}

}  // namespace logpx::bench
