// One training step of a small net, and the optimiser beside plain copying.
#include "libcore/det/draws.hpp"
#include "libcore/grad/ops.hpp"
#include "libcore/grad/optim.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/loop.hpp"
#include "tests/bench/bench.hpp"

#include <memory>

namespace logpx::bench {
namespace {

constexpr std::int64_t inputs = 784, hidden = 500, classes = 10;

// A classifier of two layers on noise.
class MlpTask final : public TrainingTask {
 public:
  MlpTask() {
    w1_ = params_.add("hidden/w", {inputs, hidden});
    b1_ = params_.add("hidden/b", {hidden});
    w2_ = params_.add("out/w", {hidden, classes});
    b2_ = params_.add("out/b", {classes});
    fill_normals(Rng(1).stream(Stream::test, 1), 0, params_.block());
    for (float& value : params_.block()) value *= 0.03f;
    fill_normals(Rng(1).stream(Stream::test, 2), 0, x_.span());
    GraphPhaseParts parts;
    parts.build = [this](std::int64_t rows, std::int64_t) { return graph(rows); };
    parts.bind = [this](const Shard& shard, GraphInputs& to) { bind(shard, to); };
    phase_ = std::make_unique<GraphPhase>(PhaseSettings{}, parts);
  }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return x_.shape()[0]; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {phase_.get()}; }

 private:
  [[nodiscard]] std::unique_ptr<Graph> graph(std::int64_t rows) const {
    auto graph = std::make_unique<Graph>();
    const Var x = graph->input("x", {rows, inputs});
    const Var y = graph->index_input("y", {rows});
    const Var h =
        linear(x, graph->parameter(params_, w1_), graph->parameter(params_, b1_), Activation::tanh);
    const Var logits = linear(h, graph->parameter(params_, w2_), graph->parameter(params_, b2_));
    graph->output("loss", neg(categorical_log_prob(logits, y)));
    return graph;
  }
  void bind(const Shard& shard, GraphInputs& to) const {
    for (std::size_t i = 0; i < shard.rows.size(); ++i) {
      const auto row = x_.span().subspan(static_cast<std::size_t>(shard.rows[i] * inputs), inputs);
      std::ranges::copy(row, to.values("x").begin() + static_cast<std::ptrdiff_t>(i) * inputs);
      to.indices("y")[i] = static_cast<std::int32_t>(shard.rows[i] % classes);
    }
  }
  ParamSet params_;
  int w1_, b1_, w2_, b2_;
  Tensor<float> x_{Shape{1024, inputs}};
  std::unique_ptr<Phase> phase_;
};

double step_seconds(int threads) {
  MlpTask task;
  TrainOptions options;
  options.batch = 256;
  options.steps = 1000;
  options.ema = 0.999;
  Workers workers(threads);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {});
  double best = loop.time_steps(10);
  for (int round = 0; round < 300; ++round) best = std::min(best, loop.time_steps(2));
  return best;
}

}  // namespace

void bench_training(Bench& bench) {
  const double one = step_seconds(1), two = step_seconds(2);
  const double flops = 2.0 * 256 * (2 * inputs * hidden + 3 * hidden * classes);
  bench.add({.name = "step of a 784-500-10 net, 256 rows, adam + EMA, 1 thread",
             .value = 1e3 * one,
             .unit = "ms",
             .share = flops / one / bench.peak(),
             .floor = {},
             .of = "sgemm 1024"});
  bench.add({.name = "the same, 2 threads",
             .value = 1e3 * two,
             .unit = "ms",
             .share = one / two,
             .floor = 1.6,
             .of = "1 thread"});
}

void bench_optimiser(Bench& bench) {
  constexpr std::int64_t n = std::int64_t{16} << 20;  // 64 MiB a block: past every cache
  ParamSet params;
  params.add("w", {n});
  Optimizer adam(params, {.rule = OptimizerRule::adam});
  const Selection all = adam.select();
  std::vector<float> gradient(n, 1e-3f), average(n);
  Workers workers(1);
  const std::vector<double> seconds =
      bench.seconds({[&] {
                       for (std::size_t i = 0; i < n; ++i)
                         average[i] = 0.5f * gradient[i] + average[i];
                     },
                     [&] {
                       adam.step(all, {params.block(), gradient, average},
                                 {.rate = 1e-3, .average_decay = 0.99}, workers);
                     }});
  const double bandwidth = 3.0 * n * sizeof(float) / seconds[0];
  const double used = 9.0 * n * sizeof(float) / seconds[1];  // reads 5 arrays, writes 4
  bench.add({.name = "adam + EMA, 1 thread",
             .value = 1e-9 * used,
             .unit = "GB/s",
             .share = used / bandwidth,
             .floor = 0.6,
             .of = "to = 0.5 from + to"});
}

}  // namespace logpx::bench
